import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { ScanUsage } from '../index/totals-pass.ts';
import { giveWay } from './give-way.ts';
import { type FromScanner, type ScanStart, type ScanTask, scanOne } from './scan-thread.ts';

const MAX_THREADS = 4;
/** Nearly everything allocated there is garbage a moment later. */
const YOUNG_MB = 32;
/** How long this thread scans before it collects what the others found. */
const SLICE_MS = 5;

export interface ScanThreads {
  scan: ScanUsage;
  /** Starts the threads before the first scan. */
  prepare(): void;
  /** Ends prepared threads that aren't needed. */
  dismiss(): void;
}

/** For a first start with a lot to read: uses all processors. This thread takes its share. */
export function scanInThreads(
  worker: string,
  { isStopped = () => false, givesWay = true }: { isStopped?: () => boolean; givesWay?: boolean } = {},
): ScanThreads {
  const others = Math.min(MAX_THREADS, availableParallelism()) - 1;
  let ready: Worker[] = [];
  const startThreads = () => Array.from({ length: others }, () => startThread(worker));
  return {
    prepare() {
      ready = startThreads();
      for (const thread of ready) {
        // if it can't start, the next one will report why when it is needed
        thread.once('error', () => {
          ready = ready.filter((one) => one !== thread);
        });
      }
    },
    dismiss() {
      for (const thread of ready) thread.postMessage(null);
      ready = [];
    },
    async scan(scans, onScanned, prices) {
      if (givesWay) giveWay('totals');
      const shared = new SharedArrayBuffer(8);
      const task: ScanTask = { scans, shared, overrides: prices.models, givesWay };
      const threads = ready.length > 0 ? ready : startThreads();
      ready = [];
      const runs = threads.map((thread) => runTask(thread, task, onScanned));
      await Promise.all([...runs, runHere()]);

      async function runHere(): Promise<void> {
        const state = new Int32Array(shared);
        for (;;) {
          await new Promise((resolve) => setImmediate(resolve));
          if (isStopped()) Atomics.store(state, 1, 1);
          const until = performance.now() + SLICE_MS;
          do {
            const place = Atomics.add(state, 0, 1);
            const scan = scans[place];
            if (!scan || Atomics.load(state, 1) === 1) return;
            onScanned(place, scanOne(scan, prices));
          } while (performance.now() < until);
        }
      }
    },
  };
}

function startThread(worker: string): Worker {
  const workerData: ScanStart = { role: 'scanner' };
  return new Worker(worker, { workerData, resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB } });
}

function runTask(thread: Worker, task: ScanTask, onScanned: Parameters<ScanUsage>[1]): Promise<void> {
  return new Promise((resolve, reject) => {
    thread.on('message', (found: FromScanner) => {
      for (const { place, scanned } of found) onScanned(place, scanned);
    });
    thread.on('error', reject);
    thread.on('exit', () => resolve());
    thread.postMessage(task);
  });
}
