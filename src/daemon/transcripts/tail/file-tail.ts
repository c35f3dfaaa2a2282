import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { textOf } from '../../../contract/values.ts';
import { addLine, emptyFacts, type Facts } from '../lines/facts.ts';
import { blocksOf, type Line } from '../lines/line.ts';
import { readLines } from '../lines/read-lines.ts';
import { type CostState, costStateOf } from '../usage/cost-state.ts';
import { scanLine } from '../usage/fast/usage-scanner.ts';
import { unpackUsage } from '../usage/file-usage.ts';
import { parseLine, type UsageRecord, usageOf } from '../usage/usage.ts';

/** How many bytes of a long file to read at a time, so the others get their turn. */
const SLICE = 8 * 1024 * 1024;
const EDGE = 64;

export interface FileTailOptions {
  path: string;
  agentId: string | null;
  onUsage: (records: UsageRecord[]) => void;
  onCostState: (state: CostState) => void;
  /** The outcomes of these calls are in the file. */
  onResults: (callIds: string[]) => void;
  /** The file isn't the one that was read, so what it said is void. */
  onReset: () => void;
}

/** Follows one transcript as it grows; notices if it was truncated, replaced or rewritten. */
export class FileTail {
  readonly #options: FileTailOptions;
  facts: Facts;
  /** When the file was created, if the file system says. */
  bornMs = 0;
  #position = 0;
  #inode = 0;
  /** The last bytes before the position, to check that what was read is still there. */
  #edge = Buffer.alloc(0);

  constructor(options: FileTailOptions) {
    this.#options = options;
    this.facts = emptyFacts(options.agentId);
  }

  get position(): number {
    return this.#position;
  }

  /** Reads what is new. `isMore`: call again. */
  read(): { hasChanged: boolean; isMore: boolean } {
    const fd = openToRead(this.#options.path);
    if (fd === undefined) return { hasChanged: this.#reset(), isMore: false };
    try {
      return this.#readFrom(fd);
    } finally {
      closeSync(fd);
    }
  }

  #readFrom(fd: number): { hasChanged: boolean; isMore: boolean } {
    const { size, ino, birthtimeMs, mtimeMs } = fstatSync(fd);
    const isOther = this.#position > 0 && (ino !== this.#inode || size < this.#position || !this.#isEdgeThere(fd));
    const wasReset = isOther && this.#reset();
    // if the file system doesn't store creation times, what it reports instead changes with each write
    if (ino !== this.#inode) this.bornMs = Math.min(birthtimeMs, mtimeMs);
    this.#inode = ino;
    if (size === this.#position) return { hasChanged: wasReset, isMore: false };
    const from = this.#position;
    let isMore = false;
    this.#position = readLines({
      fd,
      from,
      onLine: (bytes, start, end, position) => this.#take(bytes, start, end, position),
      isEnough: (position) => {
        isMore = position - from >= SLICE;
        return isMore;
      },
    });
    if (this.#position > from) this.#edge = readEdge(fd, this.#position);
    return { hasChanged: wasReset || this.#position > from, isMore };
  }

  #take(bytes: Buffer, start: number, end: number, position: number): void {
    const line = parseLine(bytes, start, end);
    const state = line && costStateOf(line, this.facts.lastAt);
    if (state) this.#options.onCostState(state);
    if (line) addLine(this.facts, line);
    const results = line ? resultsIn(line) : [];
    if (results.length > 0) this.#options.onResults(results);
    this.#options.onUsage(line ? usageOf(line, position) : usageInDamaged(bytes.subarray(start, end)));
  }

  #isEdgeThere(fd: number): boolean {
    return readEdge(fd, this.#position).equals(this.#edge);
  }

  #reset(): boolean {
    if (this.#position === 0) return false;
    this.#position = 0;
    this.#edge = Buffer.alloc(0);
    this.facts = emptyFacts(this.#options.agentId);
    this.#options.onReset();
    return true;
  }
}

/** What it used can often be read still, and the index counts it. */
function usageInDamaged(line: Buffer): UsageRecord[] {
  return [...unpackUsage(scanLine(line).packed).values()];
}

function resultsIn(line: Line): string[] {
  if (line.type !== 'user') return [];
  return blocksOf(line).flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' && textOf(id) ? [textOf(id)] : [],
  );
}

function readEdge(fd: number, position: number): Buffer<ArrayBuffer> {
  const edge = Buffer.alloc(Math.min(EDGE, position));
  const read = readSync(fd, edge, 0, edge.length, position - edge.length);
  return edge.subarray(0, read);
}

/** Never through a link, and never anything that would block us. */
function openToRead(path: string): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(String((error as NodeJS.ErrnoException).code)))
      return undefined;
    throw error;
  }
}
