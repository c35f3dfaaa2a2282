import { isBetterSighting, type UsageRecord } from './usage.ts';

/** A transcript's messages, by their keys. */
export interface LedgerFile {
  id: number;
  path: string;
  bornMs: number;
  keys(): Iterable<string>;
  recordOf(key: string): UsageRecord | undefined;
}

/** Where the ledger finds other files' content. */
export interface LedgerFiles {
  get(id: number): LedgerFile | undefined;
  all(): Iterable<LedgerFile>;
}

/** In which file each message is counted: resumed and forked sessions start with a copy of another's lines. The same file is chosen in any order. */
export class Ledger {
  readonly #owners = new Map<string, number>();
  readonly #files: LedgerFiles;

  constructor(files: LedgerFiles) {
    this.#files = files;
    for (const file of files.all()) this.add(file);
  }

  /** Adds what a file says now. `changed`: files that now count less, or not everything. */
  add(file: LedgerFile): { changed: Set<number> } {
    const changed = new Set<number>();
    for (const key of file.keys()) {
      const owner = this.#owners.get(key);
      if (owner === file.id) continue;
      if (owner === undefined) {
        this.#owners.set(key, file.id);
        continue;
      }
      const isOurs = this.#isChosen(file, this.#files.get(owner), key);
      changed.add(isOurs ? owner : file.id);
      if (isOurs) this.#owners.set(key, file.id);
    }
    return { changed };
  }

  /** The file is gone or replaced. `changed`: files that now count more. */
  remove(file: LedgerFile): { changed: Set<number> } {
    const orphans = new Set<string>();
    for (const key of file.keys()) {
      if (this.#owners.get(key) !== file.id) continue;
      this.#owners.delete(key);
      orphans.add(key);
    }
    const changed = new Set<number>();
    if (orphans.size === 0) return { changed };
    for (const other of this.#files.all()) {
      if (other.id === file.id) continue;
      const keys = [...other.keys()].filter((key) => orphans.has(key));
      if (keys.length === 0) continue;
      changed.add(other.id);
      this.add({ ...other, keys: () => keys });
    }
    return { changed };
  }

  isCounted(key: string, fileId: number): boolean {
    return this.#owners.get(key) === fileId;
  }

  /** The file it is counted in. */
  ownerOf(key: string): number | undefined {
    return this.#owners.get(key);
  }

  #isChosen(one: LedgerFile, other: LedgerFile | undefined, key: string): boolean {
    const ours = one.recordOf(key);
    const theirs = other?.recordOf(key);
    if (!other || !theirs) return true;
    if (!ours) return false;
    if (isBetterSighting(ours, theirs)) return true;
    if (isBetterSighting(theirs, ours)) return false;
    // an unmarked copy has its original's times, but its file was created later
    return one.bornMs < other.bornMs || (one.bornMs === other.bornMs && one.path < other.path);
  }
}
