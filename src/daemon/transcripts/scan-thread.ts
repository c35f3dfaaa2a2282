import type { MessagePort } from 'node:worker_threads';
import type { ModelPrice } from '../../contract/prices.ts';
import { type FileUsage, packUsage } from './file-usage.ts';
import { giveWay } from './give-way.ts';
import { Prices } from './prices.ts';
import { scanUsage } from './scan-usage.ts';
import { spendingOf } from './spending.ts';
import type { ScannedUsage, UsageScan } from './totals-pass.ts';

export interface ScanStart {
  role: 'scanner';
  scans: UsageScan[];
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
  /** [0]: the next scan that nobody has taken. [1]: 1 ends it. */
  shared: SharedArrayBuffer;
}

export interface FromScanner {
  place: number;
  scanned: ScannedUsage;
}

/** One of the threads that share a long list of files. */
export function runScanner(port: MessagePort, { scans, shared, overrides }: ScanStart): void {
  giveWay('totals');
  const prices = new Prices(overrides);
  const state = new Int32Array(shared);
  for (;;) {
    const place = Atomics.add(state, 0, 1);
    const scan = scans[place];
    if (!scan || Atomics.load(state, 1) === 1) return;
    port.postMessage({ place, scanned: scanOne(scan, prices) } satisfies FromScanner);
  }
}

export function scanOne({ path, from }: UsageScan, prices: Prices): ScannedUsage {
  const usage: FileUsage = new Map();
  const scanned = scanUsage(path, from, usage);
  return (
    scanned && {
      ...scanned,
      usage: packUsage(usage),
      keys: [...usage.keys()],
      spending: spendingOf(usage.values(), prices),
      ...timesOf(usage),
    }
  );
}

function timesOf(usage: FileUsage): { firstAt: number | null; lastAt: number | null } {
  let firstAt: number | null = null;
  let lastAt: number | null = null;
  for (const { at } of usage.values()) {
    if (firstAt === null || at < firstAt) firstAt = at;
    if (lastAt === null || at > lastAt) lastAt = at;
  }
  return { firstAt, lastAt };
}
