import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { giveWay } from './give-way.ts';
import { type FromScanner, type ScanStart, scanOne } from './scan-thread.ts';
import type { ScanUsage } from './totals-pass.ts';

const MAX_THREADS = 4;
/** Nearly all that is made in there is of no use a moment later. */
const YOUNG_MB = 32;

/** For a first start, when there is a great deal to read: on all processors. This thread takes its share. */
export function scanInThreads(worker: string, isStopped: () => boolean): ScanUsage {
  return async (scans, onScanned, prices) => {
    giveWay('totals');
    const shared = new SharedArrayBuffer(8);
    const state = new Int32Array(shared);
    const start: ScanStart = { role: 'scanner', scans, shared, overrides: prices.models };
    const run = () =>
      new Promise<void>((resolve, reject) => {
        const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
        const thread = new Worker(worker, { workerData: start, resourceLimits });
        thread.on('message', ({ place, scanned }: FromScanner) => onScanned(place, scanned));
        thread.on('error', reject);
        thread.on('exit', () => resolve());
      });
    const runHere = async () => {
      for (;;) {
        // what the others have found comes between
        await new Promise((resolve) => setImmediate(resolve));
        if (isStopped()) Atomics.store(state, 1, 1);
        const place = Atomics.add(state, 0, 1);
        const scan = scans[place];
        if (!scan || Atomics.load(state, 1) === 1) return;
        onScanned(place, scanOne(scan, prices));
      }
    };
    const others = Math.min(MAX_THREADS, availableParallelism(), scans.length) - 1;
    await Promise.all([...Array.from({ length: others }, run), runHere()]);
  };
}
