import { readFileSync } from 'node:fs';
import { startDaemonProcess } from '../kit/daemon-process.ts';
import { runRouteFuzz } from '../kit/run-route-fuzz.ts';

/** Ten minutes of almost valid input to every route of a real daemon: no server error, no hang, no memory growth. `SECONDS=60` for a shorter run. */

const seconds = Number(process.env.SECONDS ?? 600);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
const daemon = await startDaemonProcess({ args: ['--no-hooks'] });
const asAdmin = { authorization: `Bearer ${daemon.operatorToken}`, 'content-type': 'application/json' };

try {
  const made = await fetch(`${daemon.url}/api/tokens`, {
    method: 'POST',
    headers: asAdmin,
    body: JSON.stringify({ role: 'viewer', name: 'Viewer' }),
  });
  const { token: viewer } = (await made.json()) as { token: string };
  const report = await runRouteFuzz({
    url: daemon.url,
    admin: daemon.operatorToken,
    viewer,
    ids: ['one', 'two', 'local', 'absent'],
    seed,
    forMs: seconds * 1000,
    memory: () => residentBytes(daemon.pid),
  });
  const { sent, routes, byStatus, failures, grownBytes } = report;
  console.log(`# npm run bench route-fuzz (seed ${seed}, ${seconds} s)\n`);
  console.log(`${sent} requests to ${routes} routes, ${failures.length} server errors or hangs`);
  console.log(`Answers by status: ${JSON.stringify(byStatus)}`);
  console.log(`Resident memory grew by ${Math.round(grownBytes / 1024 / 1024)} MB after the first third`);
  for (const failure of failures) console.log(failure);
  if (failures.length > 0) {
    console.log(daemon.output().slice(-4000));
    process.exitCode = 1;
  }
} catch (error) {
  console.log(daemon.output().slice(-4000));
  throw error;
} finally {
  await daemon.dispose();
}

function residentBytes(pid: number): number {
  const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}
