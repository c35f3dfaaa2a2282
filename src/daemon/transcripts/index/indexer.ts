import type { IndexProgress } from '../../../contract/history.ts';
import { inLongTransaction, type Sqlite } from '../../journal/sqlite.ts';
import { wasRead } from '../lines/line-problems.ts';
import type { Prices } from '../prices/prices.ts';
import { scanOne } from '../threads/scan-thread.ts';
import { type FileRow, FileRows } from './file-rows.ts';
import { findTranscripts, lookAt, type Unreadable, whyUnreadable } from './find-transcripts.ts';
import type { FirstLook } from './first-look.ts';
import { type ReadText, readText, type TextJob, type TextPart } from './read-text.ts';
import { PARSER_VERSION } from './schema.ts';
import { SessionRows } from './session-rows.ts';
import { TextPass } from './text-pass.ts';
import { isUnchanged, type ScanProgress, type ScanUsage, type Stale, Totals } from './totals-pass.ts';

/** Below this size, starting threads costs more than it saves. */
const SMALL = 16 * 1024 * 1024;
/** Text is written in large transactions: each one leaves an index segment that has to be merged with others. */
const TEXT_BATCH = 32 * 1024 * 1024;
const MAX_PROBLEMS = 100;
/** With fewer new files, sizes are read first, so no thread is left with a large one at the end. */
const MANY_FILES = 5000;

export interface IndexerOptions {
  db: Sqlite;
  /** The folders of all transcripts, as real paths. */
  projects: () => readonly string[];
  prices: Prices;
  /** What to read at a first start, if already known: `scanMany` has started on it. */
  lookAhead?: () => Promise<FirstLook> | undefined;
  scanMany: ScanUsage;
  /** For a lot of text. */
  readMany: ReadText;
  isStopped: () => boolean;
  /** A lot is about to be written; called outside a transaction. Nothing is committed before it resolves. */
  onGreatDeal?: () => Promise<void>;
  /** `status()` changed. */
  onProgress: (phase: IndexProgress['phase']) => void;
  now?: () => number;
}

/** Keeps the index in sync with the transcripts: costs first, then all text. */
export class Indexer {
  readonly #options: IndexerOptions;
  readonly #rows: FileRows;
  readonly #totals: Totals;
  readonly #text: TextPass;
  readonly #sessions: SessionRows;
  readonly #touched = new Set<string>();
  readonly #cutShort = new Set<number>();
  /** Transcripts and folders we may not read, and why. */
  readonly #unreadable = new Map<string, string>();
  #prices: Prices | undefined;
  #whenRepriced: (() => void)[] = [];
  #run: Promise<void> | undefined;
  /** What is being read, across several transactions. */
  #parts: AsyncGenerator<TextPart> | undefined;
  #isScanDue = false;
  #lastScanAt: number | null = null;
  #phase: IndexProgress['phase'] = 'finding';
  #files = { total: 0, done: 0 };
  #bytes = { total: 0, done: 0 };

  constructor(options: IndexerOptions) {
    const { db, projects, prices } = options;
    this.#options = options;
    this.#rows = new FileRows(db);
    this.#totals = new Totals({ db, rows: this.#rows, projects, prices });
    this.#text = new TextPass({ db, rows: this.#rows });
    this.#sessions = new SessionRows(db);
    this.#totals.reprice(prices);
  }

  /** Checks all files and reads what is new in them. */
  scan(): Promise<void> {
    this.#isScanDue = true;
    return this.#start();
  }

  /** This file was written to, or is gone. */
  touch(path: string): Promise<void> {
    this.#touched.add(path);
    return this.#start();
  }

  /** Reads what couldn't be read before, if it now can: no watch reports changed permissions. */
  async retryUnreadable(): Promise<void> {
    const readable = [...this.#unreadable.keys()].filter((path) => whyUnreadable(path) === undefined);
    if (readable.length === 0) return;
    const isFolder = readable.some((path) => !path.endsWith('.jsonl'));
    for (const path of readable) this.#unreadable.delete(path);
    if (isFolder) return this.scan();
    for (const path of readable) this.#touched.add(path);
    return this.#start();
  }

  /** `onDone`: all costs use these prices. */
  setPrices(prices: Prices, onDone: () => void = () => undefined): Promise<void> {
    this.#prices = prices;
    this.#whenRepriced.push(onDone);
    return this.#start();
  }

  status(): IndexProgress {
    const flawed = this.#rows.withProblems();
    const unknown = new Map<string, number>();
    for (const { problems } of flawed) {
      for (const [type, count] of Object.entries(problems.unknownTypes))
        unknown.set(type, (unknown.get(type) ?? 0) + count);
    }
    return {
      phase: this.#phase,
      files: { ...this.#files },
      bytes: { ...this.#bytes },
      sessions: this.#rows.sessionCount,
      parserVersion: PARSER_VERSION,
      lastScanAt: this.#lastScanAt,
      problems: flawed
        .flatMap(({ path, problems }) =>
          Object.entries(problems.lines).map(([problem, count]) => ({
            path,
            problem,
            count,
            isRead: wasRead(problem),
          })),
        )
        .slice(0, MAX_PROBLEMS),
      unreadable: {
        count: this.#unreadable.size,
        paths: Array.from(this.#unreadable, ([path, reason]) => ({ path, reason })).slice(0, MAX_PROBLEMS),
      },
      unknownLineTypes: [...unknown].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count),
    };
  }

  /** One run at a time; work that arrives meanwhile is done by the current run. */
  #start(): Promise<void> {
    this.#run ??= this.#work().finally(() => {
      this.#run = undefined;
    });
    return this.#run;
  }

  async #work(): Promise<void> {
    while (!this.#options.isStopped() && this.#hasWork()) {
      try {
        await this.#workOff();
      } finally {
        // takes a moment, in which something may arrive
        await this.#endReading();
      }
    }
    this.#phase = 'idle';
    this.#tell();
  }

  async #workOff(): Promise<void> {
    while (!this.#options.isStopped() && this.#hasWork()) {
      if (this.#prices) this.#reprice(this.#prices);
      else if (this.#isScanDue) await this.#scanAll();
      else if (this.#touched.size > 0) await this.#readTouched();
      else await this.#readText();
    }
  }

  #hasWork(): boolean {
    return Boolean(this.#prices) || this.#isScanDue || this.#touched.size > 0 || this.#isTextDue();
  }

  #reprice(prices: Prices): void {
    this.#prices = undefined;
    this.#totals.reprice(prices);
    for (const tell of this.#whenRepriced.splice(0)) tell();
  }

  async #scanAll(): Promise<void> {
    this.#isScanDue = false;
    this.#cutShort.clear();
    const ahead = await this.#options.lookAhead?.();
    if (ahead) {
      this.#noteUnreadable(ahead.unreadable);
      await this.#update(ahead.stale, [], { isAhead: true });
    } else {
      const { paths, unreadable } = findTranscripts(...this.#options.projects());
      const there = new Set(paths);
      for (const path of this.#unreadable.keys()) if (!there.has(path)) this.#unreadable.delete(path);
      this.#noteUnreadable(unreadable);
      await this.#update(
        this.#staleOf(paths),
        [...this.#rows.rows()].map(({ path }) => path).filter((path) => !there.has(path)),
      );
    }
    this.#lastScanAt = (this.#options.now ?? Date.now)();
  }

  #noteUnreadable(unreadable: readonly Unreadable[]): void {
    for (const { path, reason } of unreadable) this.#unreadable.set(path, reason);
  }

  async #readTouched(): Promise<void> {
    const paths = [...this.#touched];
    this.#touched.clear();
    const found = paths.map((path) => ({ path, file: lookAt(path) }));
    await this.#update(
      found.filter(({ path, file }) => file && !isUnchanged(this.#rows.byPath(path), file)),
      found.flatMap(({ path, file }) => (file ? [] : [path])),
    );
  }

  /** Largest first. If there are very many new files, their sizes aren't checked before reading. */
  #staleOf(paths: string[]): Stale[] {
    const isNew = (path: string) => this.#rows.byPath(path) === undefined;
    const isMany = paths.filter(isNew).length > MANY_FILES;
    const stale = paths.flatMap((path): Stale[] => {
      if (isMany && isNew(path)) return [{ path, file: undefined }];
      const file = lookAt(path);
      return file && !isUnchanged(this.#rows.byPath(path), file) ? [{ path, file }] : [];
    });
    return stale.sort((a, b) => (b.file?.size ?? 0) - (a.file?.size ?? 0));
  }

  async #update(stale: Stale[], gone: string[], { isAhead = false } = {}): Promise<void> {
    if (stale.length === 0 && gone.length === 0) return;
    const { db, scanMany } = this.#options;
    const bytes = stale.reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
    const areUnknown = stale.some(({ file }) => !file);
    const isMuch = areUnknown || bytes > SMALL;
    const scan = isMuch || isAhead ? scanMany : scanHere;
    const mayCommit = isMuch ? this.#options.onGreatDeal?.() : undefined;
    // it is awaited below, unless something else fails first
    mayCommit?.catch(() => undefined);
    const sessionsOf = (paths: string[]) => paths.flatMap((path) => this.#rows.byPath(path)?.sessionId ?? []);
    await inLongTransaction(db, async () => {
      const changed = new Set(sessionsOf(gone));
      if (gone.length > 0) this.#totals.remove(gone);
      if (stale.length > 0) {
        this.#begin('totals', stale.length, bytes);
        await this.#totals.update(stale, scan, (progress) => this.#progress(progress, { areUnknown }));
      }
      for (const id of sessionsOf(stale.map(({ path }) => path))) changed.add(id);
      this.#sessions.saveAll(changed);
      await mayCommit;
    });
  }

  /** One large transaction's worth. */
  async #readText(): Promise<void> {
    const parts = await this.#startReading();
    const changed = new Set<string>();
    let read = 0;
    await inLongTransaction(this.#options.db, async () => {
      // someone is waiting for other prices
      const goesOn = () => read < TEXT_BATCH && !this.#options.isStopped() && !this.#prices;
      for (let mayStop = false; !mayStop || goesOn(); ) {
        const { value: part, done } = await parts.next();
        if (done) {
          this.#parts = undefined;
          break;
        }
        this.#take(part, changed);
        read += part.to - part.from;
        mayStop = part.stop !== undefined;
      }
      this.#sessions.saveAll(changed);
    });
    this.#tell();
  }

  #take(part: TextPart, changed: Set<string>): void {
    const row = this.#text.write(part);
    if (!row) return;
    changed.add(row.sessionId);
    this.#bytes.done += part.to - part.from;
    if (part.isLast) {
      // shorter than when it was checked: the next check finds out why
      if (row.textOffset < row.totalsOffset) this.#cutShort.add(row.id);
      else this.#files.done++;
    }
    this.#tell();
  }

  async #startReading(): Promise<AsyncGenerator<TextPart>> {
    const due = this.#textDue();
    const bytes = due.reduce((sum, row) => sum + row.totalsOffset - row.textOffset, 0);
    if (this.#phase !== 'text') this.#begin('text', due.length, bytes);
    if (bytes > SMALL) await this.#options.onGreatDeal?.();
    this.#parts ??= (bytes > SMALL ? this.#options.readMany : readHere)(this.#jobsOf(due));
    return this.#parts;
  }

  async #endReading(): Promise<void> {
    await this.#parts?.return(undefined);
    this.#parts = undefined;
  }

  /** Lazily, one after the other: some are gone by then, or replaced. */
  *#jobsOf(due: FileRow[]): Generator<TextJob> {
    for (const row of due) if (this.#rows.byId(row.id) === row) yield this.#text.jobOf(row);
  }

  #isTextDue(): boolean {
    for (const row of this.#rows.rows()) if (this.#lacksText(row)) return true;
    return false;
  }

  #lacksText(row: FileRow): boolean {
    return row.textOffset < row.totalsOffset && !this.#cutShort.has(row.id);
  }

  /** Oldest first, so the newest have the highest ids; files of one session together. */
  #textDue(): FileRow[] {
    return [...this.#rows.rows()]
      .filter((row) => this.#lacksText(row))
      .sort((a, b) => a.mtimeMs - b.mtimeMs || (a.path < b.path ? -1 : 1));
  }

  #begin(phase: IndexProgress['phase'], files: number, bytes: number): void {
    this.#phase = phase;
    this.#files = { total: files, done: 0 };
    this.#bytes = { total: bytes, done: 0 };
    this.#tell();
  }

  /** `areUnknown`: not all sizes are known, so the rest is assumed to be like what was read. */
  #progress({ path, bytes, wasRead }: ScanProgress, { areUnknown }: { areUnknown: boolean }): void {
    const reason = wasRead ? undefined : whyUnreadable(path);
    if (reason) this.#unreadable.set(path, reason);
    else this.#unreadable.delete(path);
    this.#files.done++;
    this.#bytes.done += bytes;
    if (areUnknown) this.#bytes.total = Math.round((this.#bytes.done / this.#files.done) * this.#files.total);
    this.#tell();
  }

  #tell(): void {
    this.#options.onProgress(this.#phase);
  }
}

const scanHere: ScanUsage = async (scans, onScanned, prices) => {
  for (const [place, scan] of scans.entries()) {
    onScanned(place, scanOne(scan, prices));
    await breathe();
  }
};

const readHere: ReadText = async function* readHere(jobs) {
  for (const job of jobs) {
    for (const part of readText(job)) {
      yield part;
      await breathe();
    }
  }
};

function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
