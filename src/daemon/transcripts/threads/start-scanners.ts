import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import { scannerModule } from '../usage/fast/usage-scanner.ts';
import type { ScanAhead, ScanStart } from './scan-thread.ts';

const MAX_THREADS = 4;
/** Nearly everything allocated there is garbage a moment later. */
const YOUNG_MB = 32;

/** Threads that help one thread scan, each reached by its port, so that another thread can start them ahead of time. */
export interface Scanners {
  ports: MessagePort[];
  /** Which scans are claimed. null: none has started. Otherwise the first has, and reports what it found. */
  ahead: SharedArrayBuffer | null;
}

export interface StartScanners {
  worker: string;
  /** What the first thread starts with. */
  ahead?: Omit<ScanAhead, 'shared'>;
  /** One that dies closes its port, too. */
  onError: (error: unknown) => void;
}

export function startScanners({ worker, ahead, onError }: StartScanners): Scanners {
  const shared = new SharedArrayBuffer(8);
  const ports = Array.from({ length: Math.min(MAX_THREADS, availableParallelism()) - 1 }, (_, place) => {
    const { port1: ours, port2: port } = new MessageChannel();
    const workerData: ScanStart = {
      role: 'scanner',
      port,
      scanner: scannerModule(),
      ahead: ahead && place === 0 ? { ...ahead, shared } : null,
    };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const thread = new Worker(worker, { workerData, transferList: [port], resourceLimits });
    thread.on('error', onError);
    return ours;
  });
  return { ports, ahead: ahead && ports.length > 0 ? shared : null };
}
