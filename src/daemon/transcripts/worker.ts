import { parentPort, workerData } from 'node:worker_threads';
import { runIndexer } from './run-indexer.ts';
import { runTail } from './run-tail.ts';
import { serveQueries } from './serve-queries.ts';
import type { TailStart } from './tail-messages.ts';
import type { WorkerStart } from './worker-messages.ts';

const start = workerData as WorkerStart | TailStart;
const port = parentPort!;
if (start.role === 'indexer') runIndexer(port, start);
else if (start.role === 'tail') runTail(port, start);
else serveQueries(port, start.places);
