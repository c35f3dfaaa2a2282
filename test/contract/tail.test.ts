import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import type { FromTail, TailStart } from '../../src/daemon/transcripts/tail/tail-messages.ts';
import { checkout } from '../kit/daemon-process.ts';
import { waitFor } from '../kit/wait.ts';

test('reports what was written just before it started, which the index may have missed', async () => {
  const configDir = mkdtempSync(join(tmpdir(), 'gc-tail-'));
  onTestFinished(() => rmSync(configDir, { recursive: true, force: true }));
  const project = join(configDir, 'projects', 'p');
  mkdirSync(project, { recursive: true });
  const [old, young] = [join(project, 'old.jsonl'), join(project, 'young.jsonl')];
  for (const path of [old, young]) writeFileSync(path, '{}\n');
  utimesSync(old, 1, 1);

  const workerData: TailStart = { role: 'tail', configDir, overrides: [] };
  const tail = new Worker(join(checkout, 'dist', 'transcripts-worker.cjs'), { workerData });
  onTestFinished(async () => void (await tail.terminate()));
  const told: FromTail[] = [];
  tail.on('message', (message: FromTail) => told.push(message));
  await waitFor(() => told.length > 0, { what: 'a word of the tail' });
  expect(told).toEqual([{ kind: 'touched', paths: [young] }]);
});
