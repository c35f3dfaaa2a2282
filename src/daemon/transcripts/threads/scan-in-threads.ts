import type { MessagePort } from 'node:worker_threads';
import type { FirstLook } from '../index/first-look.ts';
import type { ScanUsage } from '../index/totals-pass.ts';
import { lowerPriority } from './lower-priority.ts';
import { type FromScanner, type ScanAhead, type ScanTask, scanOne } from './scan-thread.ts';
import { type Scanners, startScanners } from './start-scanners.ts';

/** How long this thread scans before it collects what the others found. */
const SLICE_MS = 5;

export interface ScanThreads {
  /** What a thread that started ahead has found: the next scan is one of exactly these. undefined: none has. */
  look(): Promise<FirstLook> | undefined;
  scan: ScanUsage;
  /** Ends threads that were started and aren't needed. */
  dismiss(): void;
}

/** Starts the threads at once, before this one has loaded what it needs. */
export function scanAheadInThreads(worker: string, ahead: Omit<ScanAhead, 'shared'>): ScanThreads {
  let failure: unknown;
  const scanners = startScanners({
    worker,
    ahead,
    onError: (error) => {
      failure = error;
    },
  });
  return scanInThreads(worker, { givesWay: ahead.givesWay, scanners, failure: () => failure });
}

/** For a first start with a lot to read: uses all processors. This thread takes its share. `scanners`: threads started already. */
export function scanInThreads(
  worker: string,
  {
    isStopped = () => false,
    givesWay = true,
    scanners = { ports: [], ahead: null },
    failure: failureAhead = () => undefined,
  }: { isStopped?: () => boolean; givesWay?: boolean; scanners?: Scanners; failure?: () => unknown } = {},
): ScanThreads {
  let failure: unknown;
  const onError = (error: unknown) => {
    failure = error;
  };
  let ready = scanners.ports.map((port) => new Scanner(port, failureAhead));
  let ahead = scanners.ahead;
  return {
    look: () => (ahead ? ready[0]!.look() : undefined),
    dismiss() {
      for (const scanner of ready) scanner.dismiss();
      ready = [];
      ahead = null;
    },
    async scan(scans, onScanned, prices) {
      if (givesWay) lowerPriority('totals');
      const shared = ahead ?? new SharedArrayBuffer(8);
      const task: ScanTask = { scans, shared, stop: null, overrides: prices.models, givesWay };
      const threads =
        ready.length > 0
          ? ready
          : startScanners({ worker, onError }).ports.map((port) => new Scanner(port, () => failure));
      const runs = threads.map((scanner, place) => scanner.run(ahead && place === 0 ? null : task, onScanned));
      ready = [];
      ahead = null;
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

/** The other end of a thread that scans. */
class Scanner {
  readonly #port: MessagePort;
  readonly #failure: () => unknown;
  /** What came before anyone took it. */
  readonly #early: FromScanner[] = [];
  #take: (message: FromScanner) => void = (message) => this.#early.push(message);
  #onEnd: (error: unknown) => void = () => undefined;
  #state: 'new' | 'open' | 'closed' = 'new';

  constructor(port: MessagePort, failure: () => unknown) {
    this.#port = port;
    this.#failure = failure;
  }

  look(): Promise<FirstLook> {
    return new Promise((resolve, reject) => {
      this.#take = (message) => {
        this.#take = (next) => this.#early.push(next);
        if (message.kind === 'found') resolve(message.look);
      };
      this.#listen(reject);
    });
  }

  /** Without a task it has begun already. */
  run(task: ScanTask | null, onScanned: Parameters<ScanUsage>[1]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#take = (message) => {
        if (message.kind === 'scanned') for (const { place, scanned } of message.found) onScanned(place, scanned);
        if (message.kind !== 'done') return;
        resolve();
        this.#port.close();
      };
      for (const message of this.#early.splice(0)) this.#take(message);
      this.#listen(reject);
      if (task) this.#port.postMessage(task);
    });
  }

  dismiss(): void {
    this.#port.postMessage(null);
    this.#port.close();
  }

  #listen(onEnd: (error: unknown) => void): void {
    this.#onEnd = onEnd;
    if (this.#state === 'closed') this.#end();
    if (this.#state !== 'new') return;
    this.#state = 'open';
    this.#port.on('message', (message: FromScanner) => this.#take(message));
    this.#port.on('close', () => {
      this.#state = 'closed';
      this.#end();
    });
  }

  /** Its error is reported where the thread was started, and in this thread a moment later. */
  #end(): void {
    setImmediate(() => this.#onEnd(this.#failure() ?? new Error('A thread that scans transcripts ended.')));
  }
}
