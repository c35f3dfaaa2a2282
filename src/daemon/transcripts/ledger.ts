import type { FileUsage } from './file-usage.ts';
import { isBetterSighting, type UsageRecord } from './usage.ts';

export interface LedgerFile {
  id: number;
  path: string;
  usage: FileUsage;
}

/** Where the ledger finds what other files tell. */
export interface LedgerFiles {
  get(id: number): LedgerFile | undefined;
  all(): Iterable<LedgerFile>;
}

/**
 * In which file each message is counted: resumed and forked sessions begin with a copy of another's lines. Whatever the order in
 * which files come, the same one is chosen.
 */
export class Ledger {
  readonly #owners = new Map<string, number>();
  readonly #files: LedgerFiles;

  constructor(files: LedgerFiles) {
    this.#files = files;
    for (const file of files.all()) this.add(file);
  }

  /** Takes in what a file tells by now. Returns the other files in which less is counted from here on. */
  add(file: LedgerFile): Set<number> {
    const robbed = new Set<number>();
    for (const [key, record] of file.usage) {
      const owner = this.#owners.get(key);
      if (owner === file.id) continue;
      if (owner !== undefined) {
        const other = this.#files.get(owner);
        const known = other?.usage.get(key);
        if (other && known && !isChosen({ file, record }, { file: other, record: known })) continue;
        robbed.add(owner);
      }
      this.#owners.set(key, file.id);
    }
    return robbed;
  }

  /** The file is gone, or another one. Returns the files in which more is counted from here on. */
  remove(file: LedgerFile): Set<number> {
    const orphans = new Set<string>();
    for (const key of file.usage.keys()) {
      if (this.#owners.get(key) !== file.id) continue;
      this.#owners.delete(key);
      orphans.add(key);
    }
    const heirs = new Set<number>();
    if (orphans.size === 0) return heirs;
    for (const other of this.#files.all()) {
      if (other.id === file.id) continue;
      const inherited = new Map([...other.usage].filter(([key]) => orphans.has(key)));
      if (inherited.size === 0) continue;
      this.add({ ...other, usage: inherited });
      heirs.add(other.id);
    }
    return heirs;
  }

  *countedIn(file: LedgerFile): Generator<UsageRecord> {
    for (const [key, record] of file.usage) if (this.#owners.get(key) === file.id) yield record;
  }
}

interface Sighting {
  file: LedgerFile;
  record: UsageRecord;
}

function isChosen(one: Sighting, other: Sighting): boolean {
  if (isBetterSighting(one.record, other.record)) return true;
  if (isBetterSighting(other.record, one.record)) return false;
  return one.file.path < other.file.path;
}
