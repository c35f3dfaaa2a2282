import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { FromScanner, ScanStart } from './scan-thread.ts';
import type { ScanUsage } from './totals-pass.ts';

const MAX_THREADS = 4;
/** Nearly all that is made in there is of no use a moment later. */
const YOUNG_MB = 32;

/** For a first start, when there is a great deal to read: on all processors. */
export function scanInThreads(worker: string, isStopped: () => boolean): ScanUsage {
  return async (scans, onScanned, prices) => {
    const shared = new SharedArrayBuffer(8);
    const state = new Int32Array(shared);
    const run = () =>
      new Promise<void>((resolve, reject) => {
        const start: ScanStart = { role: 'scanner', scans, shared, overrides: prices.models };
        const thread = new Worker(worker, {
          workerData: start,
          resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
        });
        thread.on('message', ({ place, scanned }: FromScanner) => {
          onScanned(place, scanned);
          if (isStopped()) Atomics.store(state, 1, 1);
        });
        thread.on('error', reject);
        thread.on('exit', () => resolve());
      });
    await Promise.all(Array.from({ length: Math.min(MAX_THREADS, availableParallelism(), scans.length) }, run));
  };
}
