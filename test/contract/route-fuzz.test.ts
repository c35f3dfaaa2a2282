import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, onTestFinished } from 'vitest';
import { pair } from '../kit/pair.ts';
import { runRouteFuzz } from '../kit/run-route-fuzz.ts';
import { startTestDaemon } from '../kit/test-daemon.ts';

const FOR_MS = 30_000;
/** Covers sessions, rules and reviews that the run creates, and bounded caches. Ten times that would be a leak. */
const MOST_GROWTH = 60 * 1024 * 1024;

it('every route answers nearly right input without a server error, a hang or a leak', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const daemon = await startTestDaemon();
  onTestFinished(() => daemon.dispose());
  const admin = await pair(daemon.link());
  const { json } = await daemon.call('POST', '/api/tokens', { token: admin, body: { role: 'viewer', name: 'Viewer' } });
  for (const session_id of ['one', 'two'])
    await daemon.hook({ session_id, cwd: '/work/app', hook_event_name: 'UserPromptSubmit', prompt: 'Fix the build' });
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  const report = await runRouteFuzz({
    url: daemon.url,
    admin,
    viewer: json.token,
    ids: ['one', 'two', 'local', 'absent'],
    seed,
    forMs: FOR_MS,
    memory() {
      collect();
      return process.memoryUsage().heapUsed;
    },
  });
  expect(report.failures, `seed ${seed}`).toEqual([]);
  expect(report.routes).toBeGreaterThan(150);
  expect(report.sent).toBeGreaterThan(report.routes);
  expect(report.grownBytes).toBeLessThan(MOST_GROWTH);
  expect((await daemon.call('GET', '/healthz')).status).toBe(200);
}, 120_000);
