import type { MessagePort } from 'node:worker_threads';
import type { ModelPrice } from '../../../contract/prices.ts';
import type { ScannedUsage, UsageScan } from '../index/totals-pass.ts';
import { Prices } from '../prices/prices.ts';
import { addSighting, type FileUsage, packUsage, unpackUsage } from '../usage/file-usage.ts';
import { scanUsage } from '../usage/scan-usage.ts';
import { spendingOf, spendingOfSlots } from '../usage/spending.ts';
import { lowerPriority } from './lower-priority.ts';

/** Threads are started before it is known what there is to scan, since that takes as long as starting them. */
export interface ScanStart {
  role: 'scanner';
  /** To the thread that it helps. */
  port: MessagePort;
}

export interface ScanTask {
  scans: UsageScan[];
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
  /** [0]: the next unclaimed scan. [1]: 1 ends it. */
  shared: SharedArrayBuffer;
  /** Relative to everything else on this machine. */
  givesWay: boolean;
}

export type FromScanner = { place: number; scanned: ScannedUsage }[];

/** Results are sent together, up to this many and this much: a message costs more than a small file. */
const MAX_SENT = 64;
const MAX_SENT_LENGTH = 256 * 1024;

/** One of the threads that share a long list of files. It has one task. */
export function runScanner({ port }: ScanStart): void {
  port.once('message', (task: ScanTask | null) => {
    if (task) scanShare(port, task);
    port.close();
  });
}

function scanShare(port: MessagePort, { scans, shared, overrides, givesWay }: ScanTask): void {
  if (givesWay) lowerPriority('totals');
  const prices = new Prices(overrides);
  const state = new Int32Array(shared);
  let found: FromScanner = [];
  let length = 0;
  for (;;) {
    const place = Atomics.add(state, 0, 1);
    const scan = scans[place];
    if (!scan || Atomics.load(state, 1) === 1) break;
    const scanned = scanOne(scan, prices);
    found.push({ place, scanned });
    length += scanned?.usage.length ?? 0;
    if (found.length < MAX_SENT && length < MAX_SENT_LENGTH) continue;
    port.postMessage(found);
    found = [];
    length = 0;
  }
  port.postMessage(found);
  // that was all of it
  port.postMessage(null);
}

export function scanOne({ path, from }: UsageScan, prices: Prices): ScannedUsage {
  const found = scanUsage(path, from);
  if (!found) return undefined;
  const { file, edges, states, messages, records } = found;
  const { offset, packed, keys, slots, firstAt, lastAt } = messages;
  const spending = records.length === 0 ? spendingOfSlots(slots, prices) : undefined;
  if (spending) return { file, offset, edges, states, usage: packed, keys, spending, firstAt, lastAt };
  const usage = unpackUsage(packed);
  for (const record of records) addSighting(usage, record);
  return {
    file,
    offset,
    edges,
    states,
    usage: packUsage(usage),
    keys: [...usage.keys()],
    spending: spendingOf(usage.values(), prices),
    ...timesOf(usage),
  };
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
