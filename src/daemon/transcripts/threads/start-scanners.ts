import { availableParallelism } from 'node:os';
import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads';
import type { ScanStart } from './scan-thread.ts';

const MAX_THREADS = 4;
/** Nearly everything allocated there is garbage a moment later. */
const YOUNG_MB = 32;

/**
 * Threads that help one thread scan, each reached by its port, so that another thread can start them ahead of time. One that dies closes
 * its port.
 */
export function startScanners(worker: string, onError: (error: unknown) => void): MessagePort[] {
  return Array.from({ length: Math.min(MAX_THREADS, availableParallelism()) - 1 }, () => {
    const { port1: ours, port2: port } = new MessageChannel();
    const workerData: ScanStart = { role: 'scanner', port };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_MB };
    const thread = new Worker(worker, { workerData, transferList: [port], resourceLimits });
    thread.on('error', onError);
    return ours;
  });
}
