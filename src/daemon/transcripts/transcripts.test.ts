import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { Transcripts } from './transcripts.ts';

/** An indexer that is ready only when told to stop, and a reader that stays until it is ended. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads';
if (workerData.role === 'reader') setInterval(() => undefined, 1_000);
else parentPort.once('message', () => {
  parentPort.postMessage({ kind: 'ready' });
  setTimeout(() => parentPort.close(), 100);
});
`;

const WAIT = { timeout: 20_000, interval: 20 };

function makeTranscripts(code: string): Transcripts {
  const folder = mkdtempSync(join(tmpdir(), 'gc-transcripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const worker = join(folder, 'worker.mjs');
  writeFileSync(worker, code);
  const paths = {
    configDir: folder,
    historyPath: join(folder, 'history.db'),
    journalPath: join(folder, 'journal.db'),
  };
  return new Transcripts({ worker, paths, overrides: () => [], onError: () => undefined });
}

test('a query from before the tables existed starts no thread after the stop', async () => {
  const transcripts = makeTranscripts(WORKER);
  transcripts.start();
  const answer = expect(transcripts.query('history', {} as never)).rejects.toMatchObject({
    code: 'transcripts.stopped',
  });
  await transcripts.stop();
  await answer;
});

/** An indexer that is ready immediately, and a reader that dies after its first chunk. */
const DYING = `
import { parentPort, workerData } from 'node:worker_threads';
if (workerData.role !== 'reader') parentPort.on('message', () => parentPort.close()).postMessage({ kind: 'ready' });
else parentPort.on('message', ({ kind, id }) => {
  if (kind !== 'more') return;
  parentPort.postMessage({ kind: 'chunk', id, chunk: 'a' });
  parentPort.close();
});
`;

test('a pending read fails when the reader dies, instead of waiting forever', async () => {
  const transcripts = makeTranscripts(DYING);
  transcripts.start();
  onTestFinished(() => transcripts.stop());
  const pieces = transcripts.stream('exportSession', {} as never);
  expect(await pieces.next()).toMatchObject({ value: 'a' });
  await new Promise((resolve) => setTimeout(resolve, 200));
  await expect(pieces.next()).rejects.toMatchObject({ code: 'transcripts.stopped' });
});

/** An indexer that fails and succeeds at the second attempt. */
const FAILING_ONCE = `
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
const mark = workerData.paths.configDir + '/failed';
if (existsSync(mark)) parentPort.on('message', () => parentPort.close()).postMessage({ kind: 'status', status: { phase: 'idle' } });
else {
  writeFileSync(mark, '');
  parentPort.postMessage({ kind: 'problem', reason: 'the disk is full', message: 'Error: the disk is full' });
}
`;

test('reports why reading ended until everything is read', async () => {
  const transcripts = makeTranscripts(FAILING_ONCE);
  expect(transcripts.status().failure).toBeNull();
  transcripts.start();
  onTestFinished(() => transcripts.stop());
  await vi.waitFor(() => expect(transcripts.status().failure).toBe('the disk is full'), WAIT);
  await vi.waitFor(() => expect(transcripts.status()).toMatchObject({ phase: 'idle', failure: null }), WAIT);
});
