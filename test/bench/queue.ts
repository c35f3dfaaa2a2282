import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import type { OrchestratedSession } from '../../src/contract/orchestration.ts';
import { startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

/*
 * A hundred queued sessions with real clients and a limit of five: priorities, dependencies, a cancellation, and a daemon kill in the
 * middle. Never more than five at once, and all of them finish.
 */

const SESSIONS = Number(process.env.SESSIONS ?? 100);
const LIMIT = Number(process.env.LIMIT ?? 5);
const PATIENCE_MS = 1_200_000;
const nameOf = (index: number) => `night-${index}`;

console.log(
  `# npm run bench queue\n\n${SESSIONS} sessions, limit ${LIMIT}, load ${loadavg()[0]!.toFixed(1)} at the start\n`,
);
const world = await startDaemonWithRunners(
  [
    { when: 'hold', reply: [callTool('Bash', { command: 'until [ -f go ]; do sleep 0.1; done' }), say('Held.')] },
    { when: 'say hello', reply: [say('Hello.')] },
  ],
  { limit: LIMIT },
);
const all = async (): Promise<OrchestratedSession[]> =>
  (await world.call('GET', '/api/orchestrated?limit=1000')).json.sessions;
const finished = (sessions: OrchestratedSession[]) => sessions.filter(({ finishedAt }) => finishedAt !== null).length;

try {
  // the first ones fill all slots, so that the others are ordered by priority
  for (let index = 0; index < LIMIT; index++)
    await world.start({ name: nameOf(index), prompt: 'hold', allowedTools: ['Bash'] });
  for (let index = LIMIT; index < SESSIONS; index++)
    await world.start({
      name: nameOf(index),
      prompt: 'say hello',
      priority: index % 3,
      // one in ten depends on the previous one
      ...(index % 10 === 0 ? { after: [nameOf(index - 1)] } : {}),
    });
  const cancelled = nameOf(SESSIONS - 2);
  await world.call('POST', `/api/sessions/${cancelled}/cancel`);
  const begun = Date.now();
  writeFileSync(join(world.project, 'go'), '');
  await waitFor(async () => finished(await all()) >= SESSIONS / 3, {
    what: 'a third',
    timeout: PATIENCE_MS,
    interval: 200,
  });
  await world.daemon.kill('SIGKILL');
  await world.restart();
  await waitFor(async () => finished(await all()) === SESSIONS, { what: 'all', timeout: PATIENCE_MS, interval: 500 });
  const sessions = await all();
  const byName = new Map(sessions.map((session) => [session.name, session]));
  const ran = sessions.filter(({ startedAt }) => startedAt !== null);
  const atOnce = (at: number) => ran.filter((one) => one.startedAt! <= at && one.finishedAt! > at).length;
  const most = Math.max(...ran.map(({ startedAt }) => atOnce(startedAt!)));
  const early = ran.filter(({ after, startedAt }) => after.some((name) => byName.get(name)!.finishedAt! > startedAt!));
  const free = ran.filter(({ prompt, after }) => prompt === 'say hello' && after.length === 0);
  // of two sessions without dependencies, the one with the higher priority starts first; those after the kill were waiting as well
  const swapped = free.filter((one) =>
    free.some((other) => other.priority > one.priority && other.startedAt! > one.startedAt! + 50),
  );
  const succeeded = sessions.filter(({ lifecycle }) => lifecycle === 'succeeded').length;
  console.log(`succeeded ${succeeded}, cancelled ${byName.get(cancelled)!.lifecycle === 'cancelled' ? 1 : 0}`);
  console.log(`most at once ${most} (limit ${LIMIT})`);
  console.log(`started before what they waited for: ${early.length}; out of order: ${swapped.length}`);
  console.log(`took ${((Date.now() - begun) / 1000).toFixed(0)} s, with a kill -9 in the middle`);
  const isRight = succeeded === SESSIONS - 1 && most <= LIMIT && early.length === 0 && swapped.length === 0;
  process.exitCode = isRight ? 0 : 1;
} finally {
  await world.dispose();
}
