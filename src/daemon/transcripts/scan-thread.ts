import type { MessagePort } from 'node:worker_threads';
import { type FileUsage, packUsage } from './file-usage.ts';
import { scanUsage } from './scan-usage.ts';
import type { ScannedUsage, UsageScan } from './totals-pass.ts';

export interface ScanStart {
  role: 'scanner';
  scans: UsageScan[];
  /** [0]: the next scan that nobody has taken. [1]: 1 ends it. */
  shared: SharedArrayBuffer;
}

export interface FromScanner {
  place: number;
  scanned: ScannedUsage;
}

/** One of the threads that share a long list of files. */
export function runScanner(port: MessagePort, { scans, shared }: ScanStart): void {
  const state = new Int32Array(shared);
  for (;;) {
    const place = Atomics.add(state, 0, 1);
    const scan = scans[place];
    if (!scan || Atomics.load(state, 1) === 1) return;
    port.postMessage({ place, scanned: scanOne(scan) } satisfies FromScanner);
  }
}

export function scanOne({ path, from }: UsageScan): ScannedUsage {
  const usage: FileUsage = new Map();
  const scanned = scanUsage(path, from, usage);
  return scanned && { ...scanned, usage: packUsage(usage) };
}
