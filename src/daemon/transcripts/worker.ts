import { parentPort, workerData } from 'node:worker_threads';
import { runIndexer } from './run-indexer.ts';
import { serveQueries } from './serve-queries.ts';
import type { WorkerStart } from './worker-messages.ts';

const start = workerData as WorkerStart;
const port = parentPort!;
if (start.role === 'indexer') runIndexer(port, start);
else serveQueries(port, start.places);
