import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { killDaemonAmong, killRunner, startRunnerWorld } from '../kit/chaos-runners.ts';

/*
 * Kills the daemon while twenty runners work and ten of them hold approvals, then kills runners in the middle of a tool. `wrong` must stay
 * empty, and no orphan may live longer than five seconds.
 */

const RUNNERS = Number(process.env.RUNNERS ?? 20);
const HOLDING = Number(process.env.HOLDING ?? 10);
const KILLS = Number(process.env.KILLS ?? 5);
const ORPHANS_MS = 5000;

console.log(`# npm run bench chaos-runners\n\nload ${loadavg()[0]!.toFixed(1)} at the start\n`);
const world = await startRunnerWorld();
try {
  const { runners, approvals, events, wrong } = await killDaemonAmong(world, { runners: RUNNERS, holding: HOLDING });
  console.log(
    `kill -9 of the daemon: ${runners} runners, ${approvals} approvals, ${events} events, wrong: ${wrong.length}`,
  );
  for (const one of wrong) console.log(`  ${one}`);
  rmSync(join(world.project, 'go'), { force: true });
  const lived: number[] = [];
  for (let round = 0; round < KILLS; round++) lived.push((await killRunner(world, `killed-${round}`)).orphansMs);
  console.log(`kill -9 of a runner: orphans lived ${lived.join(', ')} ms (aim ${ORPHANS_MS})`);
  process.exitCode = wrong.length > 0 || lived.some((ms) => ms > ORPHANS_MS) ? 1 : 0;
} finally {
  await world.dispose();
}
