import type { MessagePort } from 'node:worker_threads';
import type { ScanUsage } from '../index/totals-pass.ts';
import { lowerPriority } from './lower-priority.ts';
import { type FromScanner, type ScanTask, scanOne } from './scan-thread.ts';
import { startScanners } from './start-scanners.ts';

/** How long this thread scans before it collects what the others found. */
const SLICE_MS = 5;

export interface ScanThreads {
  scan: ScanUsage;
  /** Starts the threads before the first scan. */
  prepare(): void;
  /** Ends prepared threads that aren't needed. */
  dismiss(): void;
}

/** For a first start with a lot to read: uses all processors. This thread takes its share. `scanners`: threads started already. */
export function scanInThreads(
  worker: string,
  {
    isStopped = () => false,
    givesWay = true,
    scanners = [],
  }: { isStopped?: () => boolean; givesWay?: boolean; scanners?: MessagePort[] } = {},
): ScanThreads {
  let ready = scanners;
  let failure: unknown;
  const start = () =>
    startScanners(worker, (error) => {
      failure = error;
    });
  return {
    prepare() {
      ready = start();
    },
    dismiss() {
      for (const port of ready) port.postMessage(null);
      for (const port of ready) port.close();
      ready = [];
    },
    async scan(scans, onScanned, prices) {
      if (givesWay) lowerPriority('totals');
      const shared = new SharedArrayBuffer(8);
      const task: ScanTask = { scans, shared, overrides: prices.models, givesWay };
      const ports = ready.length > 0 ? ready : start();
      ready = [];
      const runs = ports.map((port) => runTask(port, task, onScanned, () => failure));
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

function runTask(
  port: MessagePort,
  task: ScanTask,
  onScanned: Parameters<ScanUsage>[1],
  failure: () => unknown,
): Promise<void> {
  return new Promise((resolve, reject) => {
    port.on('message', (found: FromScanner | null) => {
      if (found !== null) {
        for (const { place, scanned } of found) onScanned(place, scanned);
        return;
      }
      resolve();
      port.close();
    });
    // its error is reported where the thread was started, and in this thread a moment later
    port.on('close', () =>
      setImmediate(() => reject(failure() ?? new Error('A thread that scans transcripts ended.'))),
    );
    port.postMessage(task);
  });
}
