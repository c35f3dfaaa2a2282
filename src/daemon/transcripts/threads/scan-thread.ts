import type { MessagePort } from 'node:worker_threads';
import type { ModelPrice } from '../../../contract/prices.ts';
import { type FirstLook, lookFirst } from '../index/first-look.ts';
import type { ScannedUsage, Stale, UsageScan } from '../index/totals-pass.ts';
import { Prices } from '../prices/prices.ts';
import { setScannerModule } from '../usage/fast/usage-scanner.ts';
import { addSighting, type FileUsage, packUsage, unpackUsage } from '../usage/file-usage.ts';
import { scanUsage } from '../usage/scan-usage.ts';
import { sightingsOf } from '../usage/sightings.ts';
import { spendingOf, spendingOfSlots } from '../usage/spending.ts';
import { lowerPriority } from './lower-priority.ts';

/** Threads are started before it is known what there is to scan, since that takes as long as starting them. */
export interface ScanStart {
  role: 'scanner';
  /** To the thread that it helps. */
  port: MessagePort;
  scanner: WebAssembly.Module;
  /** What it starts with instead of waiting for a task. */
  ahead: ScanAhead | null;
}

/** Everything in these folders, which the thread finds on its own: the one it helps takes longer to start. */
export interface ScanAhead extends Omit<ScanTask, 'scans'> {
  projects: string[];
}

export interface ScanTask {
  scans: UsageScan[];
  /** The operator's prices. */
  overrides: readonly ModelPrice[];
  /** [0]: the next unclaimed scan. [1]: 1 ends it. */
  shared: SharedArrayBuffer;
  /** [0]: 1 ends it, too. */
  stop: SharedArrayBuffer | null;
  /** Relative to everything else on this machine. */
  givesWay: boolean;
}

export type FromScanner =
  /** What it found, if it started ahead. */
  { kind: 'found'; look: FirstLook } | { kind: 'scanned'; found: Scanned[] } | { kind: 'done' };

interface Scanned {
  place: number;
  scanned: ScannedUsage;
}

/** Results are sent together, up to this many and this much: a message costs more than a small file. */
const MAX_SENT = 64;
const MAX_SENT_LENGTH = 256 * 1024;

/** One of the threads that share a long list of files. It has one task. */
export function runScanner({ port, scanner, ahead }: ScanStart): void {
  setScannerModule(scanner);
  if (ahead) {
    const look = lookFirst(ahead.projects);
    send(port, { kind: 'found', look });
    scanShare(port, { ...ahead, scans: fromTheStart(look.stale) });
    port.close();
    return;
  }
  port.once('message', (task: ScanTask | null) => {
    if (task) scanShare(port, task);
    port.close();
  });
}

function fromTheStart(stale: readonly Stale[]): UsageScan[] {
  return stale.map(({ path }) => ({ path, from: 0 }));
}

function send(port: MessagePort, message: FromScanner): void {
  port.postMessage(message);
}

function scanShare(port: MessagePort, { scans, shared, stop, overrides, givesWay }: ScanTask): void {
  if (givesWay) lowerPriority('totals');
  const prices = new Prices(overrides);
  const state = new Int32Array(shared);
  const stopFlag = stop && new Int32Array(stop);
  const isStopped = () => Atomics.load(state, 1) === 1 || (stopFlag !== null && Atomics.load(stopFlag, 0) === 1);
  let found: Scanned[] = [];
  let length = 0;
  for (;;) {
    const place = Atomics.add(state, 0, 1);
    const scan = scans[place];
    if (!scan || isStopped()) break;
    const scanned = scanOne(scan, prices);
    found.push({ place, scanned });
    length += scanned?.usage.length ?? 0;
    if (found.length < MAX_SENT && length < MAX_SENT_LENGTH) continue;
    send(port, { kind: 'scanned', found });
    found = [];
    length = 0;
  }
  send(port, { kind: 'scanned', found });
  send(port, { kind: 'done' });
}

export function scanOne({ path, from }: UsageScan, prices: Prices): ScannedUsage {
  const found = scanUsage(path, from);
  if (!found) return undefined;
  const { file, edges, states, messages, records } = found;
  const { offset, packed, keys, ranks, slots, firstAt, lastAt } = messages;
  const spending = records.length === 0 ? spendingOfSlots(slots, prices) : undefined;
  if (spending)
    return { file, offset, edges, states, usage: packed, sightings: { keys, ranks }, spending, firstAt, lastAt };
  const usage = unpackUsage(packed);
  for (const record of records) addSighting(usage, record);
  return {
    file,
    offset,
    edges,
    states,
    usage: packUsage(usage),
    sightings: sightingsOf(usage),
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
