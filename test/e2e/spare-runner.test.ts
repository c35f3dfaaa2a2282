import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RUNNER_FILES } from '../../src/contract/runner-names.ts';
import { startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { say } from '../kit/scripted-answer.ts';
import { openSse } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

test('keeps a spare runner while someone is at the board, and the next session takes it', async () => {
  const orchestra = await startDaemonWithRunners([{ when: 'say hello', reply: [say('Hello.')] }]);
  onTestFinished(orchestra.dispose);
  const { url, operatorToken } = orchestra.daemon;
  const page = await openSse({ url, token: operatorToken, query: '?tab=page' });
  onTestFinished(() => void page.close());
  await orchestra.call('POST', '/api/presence', { tab: 'page', visible: true, inputAgoMs: 0 });
  const runners = () => (existsSync(orchestra.runnersDir) ? readdirSync(orchestra.runnersDir) : []);
  const [spare] = await waitFor(() => (runners().length > 0 ? runners() : undefined), {
    what: 'a spare',
    timeout: 60_000,
  });
  const { id } = await orchestra.start({ name: 'hello', prompt: 'say hello' });
  await orchestra.reaches(id, 'succeeded');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Hello.' });
  // on a slow machine it wasn't ready, and the session started its own runner
  expect(runners().some((name) => existsSync(join(orchestra.runnersDir, name, RUNNER_FILES.processes)))).toBe(true);
  expect(spare).toEqual(expect.any(String));
});
