import { randomInt } from 'node:crypto';
import { compareRanks, RANK, type Sightings } from './sightings.ts';

/** A transcript, and the messages in it. */
export interface LedgerFile {
  id: number;
  path: string;
  bornMs: number;
  sightings(): Sightings;
}

/** Where the ledger finds other files' content. */
export interface LedgerFiles {
  get(id: number): LedgerFile | undefined;
  all(): Iterable<LedgerFile>;
}

const FIRST_SIZE = 1024;
const NOBODY = 0;

/**
 * In which file each message is counted: resumed and forked sessions start with a copy of another's lines. The same file is chosen in any order.
 *
 * There may be a million messages, most of which are never looked up. So a message is identified by an unpredictable 64-bit hash instead of
 * its key: with a million messages, two of them collide in one of thirty million indexes.
 */
export class Ledger {
  readonly #files: LedgerFiles;
  readonly #seeds = [randomInt(2 ** 32) | 0, randomInt(2 ** 32) | 0] as const;
  /** An entry's position plus one, by the first half of its hash, with linear probing. */
  #places = new Int32Array(FIRST_SIZE * 2);
  #count = 0;
  #firstHalves = new Int32Array(FIRST_SIZE);
  #secondHalves = new Int32Array(FIRST_SIZE);
  #owners = new Int32Array(FIRST_SIZE);
  #ranks = new Float64Array(FIRST_SIZE * RANK);

  constructor(files: LedgerFiles) {
    this.#files = files;
    for (const file of files.all()) this.add(file);
  }

  /** Adds what a file says now. `changed`: files that now count less, or not everything. */
  add(file: LedgerFile): { changed: Set<number> } {
    return this.#add(file, () => true);
  }

  /** The file is gone or replaced. `changed`: files that now count more. */
  remove(file: LedgerFile): { changed: Set<number> } {
    const orphans = new Set<number>();
    this.#each(file.sightings().keys, (entry) => {
      if (this.#owners[entry] !== file.id) return;
      this.#owners[entry] = NOBODY;
      orphans.add(entry);
    });
    const changed = new Set<number>();
    if (orphans.size === 0) return { changed };
    for (const other of this.#files.all()) {
      if (other.id === file.id) continue;
      let isOneOfThem = false;
      this.#each(other.sightings().keys, (entry) => {
        isOneOfThem ||= orphans.has(entry);
      });
      if (!isOneOfThem) continue;
      changed.add(other.id);
      this.#add(other, (entry) => orphans.has(entry));
    }
    return { changed };
  }

  /** The file it is counted in. */
  ownerOf(key: string): number | undefined {
    const entry = this.#find(hashOf(key, 0, key.length, this.#seeds[0]), hashOf(key, 0, key.length, this.#seeds[1]));
    const owner = entry === -1 ? NOBODY : this.#owners[entry]!;
    return owner === NOBODY ? undefined : owner;
  }

  #add(file: LedgerFile, isMeant: (entry: number) => boolean): { changed: Set<number> } {
    const changed = new Set<number>();
    const { keys, ranks } = file.sightings();
    this.#each(keys, (entry, place) => {
      if (!isMeant(entry)) return;
      const owner = this.#owners[entry]!;
      if (owner === file.id && compareRanks(ranks, place * RANK, this.#ranks, entry * RANK) <= 0) return;
      if (owner !== NOBODY && owner !== file.id) {
        const isOurs = this.#isChosen(file, ranks, place, entry);
        changed.add(isOurs ? owner : file.id);
        if (!isOurs) return;
      }
      this.#owners[entry] = file.id;
      for (let n = 0; n < RANK; n++) this.#ranks[entry * RANK + n] = ranks[place * RANK + n]!;
    });
    return { changed };
  }

  #isChosen(file: LedgerFile, ranks: Float64Array, place: number, entry: number): boolean {
    const difference = compareRanks(ranks, place * RANK, this.#ranks, entry * RANK);
    if (difference !== 0) return difference > 0;
    const other = this.#files.get(this.#owners[entry]!);
    if (!other) return true;
    // an unmarked copy has its original's times, but its file was created later
    return file.bornMs < other.bornMs || (file.bornMs === other.bornMs && file.path < other.path);
  }

  /** Calls back with each key's entry, created if missing, and the key's position. */
  #each(keys: string | string[], take: (entry: number, place: number) => void): void {
    if (typeof keys !== 'string') {
      for (const [place, key] of keys.entries()) take(this.#entryOf(key, 0, key.length), place);
      return;
    }
    // cut into strings, they would be most of the garbage of a first start
    for (let start = 0, place = 0; start < keys.length; place++) {
      const newline = keys.indexOf('\n', start);
      const end = newline === -1 ? keys.length : newline;
      take(this.#entryOf(keys, start, end), place);
      start = end + 1;
    }
  }

  #entryOf(text: string, start: number, end: number): number {
    const first = hashOf(text, start, end, this.#seeds[0]);
    const second = hashOf(text, start, end, this.#seeds[1]);
    const known = this.#find(first, second);
    if (known !== -1) return known;
    if (this.#count === this.#owners.length) this.#grow();
    const entry = this.#count++;
    this.#firstHalves[entry] = first;
    this.#secondHalves[entry] = second;
    this.#owners[entry] = NOBODY;
    this.#place(entry);
    return entry;
  }

  /** -1: there is none. */
  #find(first: number, second: number): number {
    const mask = this.#places.length - 1;
    for (let at = first & mask; ; at = (at + 1) & mask) {
      const entry = this.#places[at]! - 1;
      if (entry === -1) return -1;
      if (this.#firstHalves[entry] === first && this.#secondHalves[entry] === second) return entry;
    }
  }

  #place(entry: number): void {
    const mask = this.#places.length - 1;
    let at = this.#firstHalves[entry]! & mask;
    while (this.#places[at] !== 0) at = (at + 1) & mask;
    this.#places[at] = entry + 1;
  }

  #grow(): void {
    const size = this.#count * 2;
    this.#firstHalves = copied(this.#firstHalves, new Int32Array(size));
    this.#secondHalves = copied(this.#secondHalves, new Int32Array(size));
    this.#owners = copied(this.#owners, new Int32Array(size));
    this.#ranks = copied(this.#ranks, new Float64Array(size * RANK));
    this.#places = new Int32Array(size * 2);
    for (let entry = 0; entry < this.#count; entry++) this.#place(entry);
  }
}

function copied<T extends Int32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

/** Each step is reversible, so texts that differ in one place never have the same hash, and others hardly ever. */
function hashOf(text: string, start: number, end: number, seed: number): number {
  let hash = seed;
  for (let at = start; at < end; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x85ebca6b);
    hash ^= hash >>> 15;
  }
  hash = Math.imul(hash ^ (end - start), 0xc2b2ae35);
  return hash ^ (hash >>> 13);
}
