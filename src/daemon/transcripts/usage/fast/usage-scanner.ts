import { type BlockReading, readBlocks } from '../../lines/read-blocks.ts';
import { EMPTY_USAGE } from '../file-usage.ts';
import { AGAINST, NO_SIGHTINGS, RANK, type Sightings } from '../sightings.ts';
import { SCANNER } from './scanner.wasm.ts';

/** What the module `assembly/scan.ts` exports. */
interface Exports {
  memory: { readonly buffer: ArrayBuffer };
  setSeed(seed: number): void;
  inputOf(size: number): number;
  beginFile(): void;
  scan(first: number, last: number): number;
  unclearAt(): number;
  unclearCount(): number;
  finish(): void;
  resultAt(): number;
}

/** Small enough to stay in the CPU cache, large enough that a block rarely ends within a line. */
const BLOCK = 512 * 1024;
/** A very long line makes the memory grow. Above this size it is released again. */
const MAX_KEPT = 16 * 1024 * 1024;

/** The sizes of a `Slot` and a `Message` in assembly/messages.ts. */
const SLOT = 80;
const MESSAGE = 80;
const IS_FAST = 1;
const IS_BATCH = 2;
const IS_US_ONLY = 4;
const IS_SIDECHAIN = 8;
const ABOVE_100K = 16;
const ABOVE_200K = 32;
const NO_BRANCH = 0xffffffff;

export interface UsageScan extends Pick<BlockReading, 'fd' | 'from'> {
  /** A line that may have usage and has to be parsed; `lastAt`: when the last message before it was written, NaN if unknown. */
  onUnclear(bytes: Buffer, start: number, end: number, position: number, lastAt: number): void;
  /** Whole lines that are about to be scanned. */
  onLines?(bytes: Buffer, start: number, end: number, position: number): void;
}

/** What the messages of a file used, without those in ambiguous lines. */
export interface ScannedMessages extends Sightings {
  /** Where the next scan starts. */
  offset: number;
  count: number;
  /** As `packUsage` would write it. */
  packed: string;
  slots: UsageSlot[];
  firstAt: number | null;
  lastAt: number | null;
}

/** What messages with the same price used in five minutes. */
export interface UsageSlot {
  at: number;
  model: string;
  branch: string | null;
  messages: number;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
  isFast: boolean;
  isBatch: boolean;
  isUsOnly: boolean;
  /** Each had more input tokens than this, but not more than the next of these numbers. */
  inputAbove: 0 | 100_000 | 200_000;
}

/** Finds what messages used, in WebAssembly, which is fast from the first line. JavaScript would need thousands of lines to warm up. */
export class UsageScanner {
  #wasm = load();

  scan({ fd, from, onUnclear, onLines }: UsageScan): ScannedMessages {
    const wasm = this.#wasm;
    wasm.beginFile();
    const room = new WasmRoom(wasm);
    const offset = readBlocks({
      fd,
      from,
      room,
      onLines: (bytes, start, end, position) => {
        onLines?.(bytes, start, end, position);
        const { first } = room;
        for (let at = start; at < end; ) {
          at = wasm.scan(first + at, first + end) - first;
          room.check();
          const count = wasm.unclearCount();
          if (count === 0) continue;
          const lines = new DataView(wasm.memory.buffer, wasm.unclearAt(), count * 16);
          for (let n = 0; n < count * 16; n += 16) {
            const line = lines.getUint32(n, true) - first;
            const lineEnd = lines.getUint32(n + 4, true) - first;
            onUnclear(room.bytes, line, lineEnd, position + line - start, lines.getFloat64(n + 8, true));
          }
        }
      },
    });
    wasm.finish();
    const messages = readResult(wasm, offset);
    if (wasm.memory.buffer.byteLength > MAX_KEPT) this.#wasm = load();
    return messages;
  }
}

/** The usage in one line, even if the message's content is damaged. */
export function scanLine(line: Buffer): ScannedMessages {
  const wasm = load();
  const room = new WasmRoom(wasm);
  if (line.length > room.bytes.length) room.grow(line.length);
  line.copy(room.bytes);
  wasm.beginFile();
  wasm.scan(room.first, room.first + line.length);
  wasm.finish();
  return readResult(wasm, line.length);
}

/** The part of the module's memory that lines are read into. */
class WasmRoom {
  readonly #wasm: Exports;
  #size = BLOCK;
  first = 0;
  bytes = Buffer.alloc(0);

  constructor(wasm: Exports) {
    this.#wasm = wasm;
    this.check();
  }

  grow(size: number): void {
    this.#size = size;
    this.check();
  }

  /** The buffer is replaced whenever the memory grows. */
  check(): void {
    this.first = this.#wasm.inputOf(this.#size);
    const { buffer } = this.#wasm.memory;
    if (this.bytes.buffer !== buffer || this.bytes.length !== this.#size)
      this.bytes = Buffer.from(buffer, this.first, this.#size);
  }
}

function readResult(wasm: Exports, offset: number): ScannedMessages {
  const { buffer } = wasm.memory;
  const at = wasm.resultAt();
  const [count, keys, keysLength, rows, rowsLength, slots, slotCount, ...names] = new Uint32Array(buffer, at, 12);
  const none = { offset, count: 0, ...NO_SIGHTINGS, packed: EMPTY_USAGE, slots: [], firstAt: null, lastAt: null };
  if (!count) return none;
  const [firstAt, lastAt] = new Float64Array(buffer, at + 48, 2) as unknown as [number, number];
  const bytes = Buffer.from(buffer);
  const text = (start: number, length: number) => bytes.toString('utf8', start, start + length);
  const [modelsAt, modelsLength, branchesAt, branchesLength, messages] = names as [
    number,
    number,
    number,
    number,
    number,
  ];
  // each ends with a newline
  const models = text(modelsAt, modelsLength - 1).split('\n');
  const branches = branchesLength === 0 ? [] : text(branchesAt, branchesLength - 1).split('\n');
  return {
    offset,
    count,
    keys: text(keys!, keysLength! - 1),
    ranks: readRanks(buffer, messages, count),
    packed: `{"models":${JSON.stringify(models)},"branches":${JSON.stringify(branches)},"rows":[${text(rows!, rowsLength!)}]}`,
    slots: readSlots(buffer, slots!, slotCount!, models, branches),
    firstAt,
    lastAt,
  };
}

function readRanks(buffer: ArrayBuffer, at: number, count: number): Float64Array {
  const doubles = new Float64Array(buffer, at, (count * MESSAGE) / 8);
  const words = new Uint32Array(buffer, at, (count * MESSAGE) / 4);
  const ranks = new Float64Array(count * RANK);
  for (let n = 0; n < count; n++) {
    const d = (n * MESSAGE) / 8;
    ranks[n * RANK] = doubles[d + 1]! + doubles[d + 2]! + doubles[d + 3]! + doubles[d + 4]! + doubles[d + 5]!;
    ranks[n * RANK + 1] = doubles[d]!;
    ranks[n * RANK + 2] = words[d * 2 + 14]! & IS_SIDECHAIN ? AGAINST.sidechain : 0;
  }
  return ranks;
}

function readSlots(buffer: ArrayBuffer, at: number, count: number, models: string[], branches: string[]): UsageSlot[] {
  const doubles = new Float64Array(buffer, at, (count * SLOT) / 8);
  const words = new Uint32Array(buffer, at, (count * SLOT) / 4);
  return Array.from({ length: count }, (_, n) => {
    const d = (n * SLOT) / 8;
    const w = (n * SLOT) / 4;
    const flags = words[w + 18]!;
    const branch = words[w + 17]!;
    return {
      at: doubles[d]!,
      model: models[words[w + 16]!]!,
      branch: branch === NO_BRANCH ? null : branches[branch]!,
      messages: doubles[d + 7]!,
      input: doubles[d + 1]!,
      output: doubles[d + 2]!,
      cacheRead: doubles[d + 3]!,
      cacheWrite5m: doubles[d + 4]!,
      cacheWrite1h: doubles[d + 5]!,
      webSearches: doubles[d + 6]!,
      isFast: (flags & IS_FAST) !== 0,
      isBatch: (flags & IS_BATCH) !== 0,
      isUsOnly: (flags & IS_US_ONLY) !== 0,
      inputAbove: flags & ABOVE_200K ? 200_000 : flags & ABOVE_100K ? 100_000 : 0,
    };
  });
}

let compiled: WebAssembly.Module | undefined;

/** Threads that share it compile and optimize each function once. */
export function scannerModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(Buffer.from(SCANNER, 'base64'));
  return compiled;
}

/** Another thread's, before the first scan. */
export function setScannerModule(module: WebAssembly.Module): void {
  compiled = module;
}

function load(): Exports {
  const wasm = new WebAssembly.Instance(scannerModule(), {}).exports as unknown as Exports;
  wasm.setSeed(Math.random() * 2 ** 32);
  return wasm;
}
