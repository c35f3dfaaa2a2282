import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { IndexStatus } from '../../src/contract/history.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';
import { waitFor } from '../kit/wait.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const status = async () => IndexStatus.parse((await daemon.call('GET', '/api/history/status')).json);

test('reports the index’s progress, and damaged transcripts', async () => {
  await waitFor(async () => (await status()).phase === 'idle', { what: 'an empty index' });
  const path = join(daemon.configDir, 'projects', 'p', 's1.jsonl');
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, '{"type":"brand-new"}\nnot json\n');
  // found by the watcher, without a restart
  await waitFor(async () => (await status()).problems.length > 0, { what: 'the new transcript in the index' });
  expect(await status()).toMatchObject({
    phase: 'idle',
    sessions: 1,
    problems: [{ path, problem: 'not a JSON object', count: 1, isRead: false }],
    unknownLineTypes: [{ type: 'brand-new', count: 1 }],
  });
});
