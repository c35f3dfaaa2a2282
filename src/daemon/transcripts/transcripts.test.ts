import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Transcripts } from './transcripts.ts';

/** An indexer that is ready only when it is told to stop, and a reader that stays for as long as nobody ends it. */
const WORKER = `
import { parentPort, workerData } from 'node:worker_threads';
if (workerData.role === 'reader') setInterval(() => undefined, 1_000);
else parentPort.once('message', () => {
  parentPort.postMessage({ kind: 'ready' });
  setTimeout(() => parentPort.close(), 100);
});
`;

test('who asked before the tables were there starts no thread after the stop', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gc-transcripts-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const worker = join(folder, 'worker.mjs');
  writeFileSync(worker, WORKER);
  const places = {
    configDir: folder,
    historyPath: join(folder, 'history.db'),
    journalPath: join(folder, 'journal.db'),
  };
  const transcripts = new Transcripts({ worker, places, overrides: () => [], onError: () => undefined });
  transcripts.start();
  const answer = expect(transcripts.query('history', {} as never)).rejects.toMatchObject({
    code: 'transcripts.stopped',
  });
  await transcripts.stop();
  await answer;
});
