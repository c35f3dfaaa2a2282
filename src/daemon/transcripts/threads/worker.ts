import { parentPort, workerData } from 'node:worker_threads';
import type { TailStart } from '../tail/tail-messages.ts';
import type { ScanStart } from './scan-thread.ts';
import type { TextStart } from './text-thread.ts';
import type { IndexerStart, ReaderStart } from './worker-messages.ts';

// each thread loads only what it needs: scanning threads start while everyone is waiting
const start = workerData as IndexerStart | ReaderStart | ScanStart | TailStart | TextStart;
const port = parentPort!;
void run();

async function run(): Promise<void> {
  if (start.role === 'scanner') (await import('./scan-thread.ts')).runScanner(start);
  else if (start.role === 'indexer') (await import('./run-indexer.ts')).runIndexer(port, start);
  else if (start.role === 'text') (await import('./text-thread.ts')).runText(port, start);
  else if (start.role === 'tail') (await import('./run-tail.ts')).runTail(port, start);
  else (await import('./serve-queries.ts')).serveQueries(port, start);
}
