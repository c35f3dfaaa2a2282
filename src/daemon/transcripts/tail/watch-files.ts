import {
  type Dirent,
  type FSWatcher,
  lstatSync,
  readdirSync,
  realpathSync,
  type Stats,
  statSync,
  watch,
} from 'node:fs';
import { join } from 'node:path';
import { projectFolders } from '../index/find-transcripts.ts';

const SCAN_MS = 10_000;
/** Without the folder, or a watch on it, polling is all there is. */
const SCAN_BLIND_MS = 1_000;
/** Polling must not become most of our work, however many files there are. */
const SCAN_SHARE = 50;
/** A session that has been silent for this long is watched again when it writes to its own transcript. */
const RECENT_MS = 24 * 60 * 60_000;
const MAX_WATCHES = 4_000;
const SUBAGENTS = 'subagents';

export interface FileWatchOptions {
  /** `<config>/projects`, which need not exist yet. */
  folder: string;
  /** A transcript is new or changed. `isFirst`: it existed before we looked. */
  onChange: (path: string, seen: { isFirst: boolean; mtimeMs: number }) => void;
  onGone: (path: string) => void;
  onError: (error: unknown) => void;
  now?: () => number;
}

/**
 * Reports which transcripts are written to: immediately through watches on their folders, and eventually by polling all of them, since
 * watches are silently lost (too many watches, too many events, a replaced folder).
 */
export class FileWatch {
  readonly #options: FileWatchOptions;
  readonly #now: () => number;
  readonly #files = new Map<string, { size: number; mtimeMs: number; inode: number }>();
  readonly #watches = new Map<string, { watcher: FSWatcher; inode: number }>();
  #timer: NodeJS.Timeout | undefined;
  #isFirst = true;
  #isBlind = false;
  #nextSoonest = 0;

  constructor(options: FileWatchOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  start(): void {
    this.scan();
  }

  stop(): void {
    clearTimeout(this.#timer);
    for (const { watcher } of this.#watches.values()) watcher.close();
    this.#watches.clear();
  }

  /** There must be something we don't know about. */
  scanSoon(): void {
    if (performance.now() >= this.#nextSoonest) this.scan();
  }

  /** Checks everything. */
  scan(): void {
    clearTimeout(this.#timer);
    const began = performance.now();
    this.#isBlind = false;
    const seen = new Set<string>();
    this.#scanProjects(seen);
    for (const path of this.#files.keys()) if (!seen.has(path)) this.#forget(path);
    this.#isFirst = false;
    const rest = (performance.now() - began) * SCAN_SHARE;
    this.#nextSoonest = performance.now() + Math.max(SCAN_BLIND_MS, rest);
    this.#timer = setTimeout(() => this.scan(), Math.max(this.#isBlind ? SCAN_BLIND_MS : SCAN_MS, rest));
  }

  #scanProjects(seen: Set<string>): void {
    const folder = realFolder(this.#options.folder);
    const onEvent = () => (statOf(folder) ? this.#scanProjects(new Set()) : this.scan());
    if (!this.#watch(folder, onEvent)) this.#isBlind = true;
    for (const project of projectFolders(folder)) this.#scanProject(project, seen);
  }

  #scanProject(project: string, seen: Set<string>): void {
    // a link to a folder is watched as its target folder
    this.#watch(project, (name) => this.#onProjectEvent(project, name), { isLink: true });
    for (const entry of list(project)) {
      const path = join(project, entry.name);
      if (isTranscript(entry)) this.#check(path, seen);
      else if (entry.isDirectory()) this.#scanSession(path, seen);
    }
  }

  /** What is next to a session's transcript under its id: its subagents, and more that we don't read. */
  #scanSession(session: string, seen: Set<string>, { isActive = false } = {}): void {
    const subagents = join(session, SUBAGENTS);
    const there = statOf(subagents);
    const changedAt = (there ?? statOf(session))?.mtimeMs ?? 0;
    const isRecent = isActive || this.#now() - changedAt < RECENT_MS;
    if (isRecent && !there) this.#watch(session, () => this.#scanSession(session, new Set(), { isActive: true }));
    if (there?.isDirectory()) this.#scanSubagents(subagents, seen, { isRecent });
  }

  #scanSubagents(folder: string, seen: Set<string>, { isRecent }: { isRecent: boolean }): void {
    if (isRecent) this.#watch(folder, () => this.#scanSubagents(folder, new Set(), { isRecent }));
    for (const entry of list(folder)) {
      const path = join(folder, entry.name);
      if (isTranscript(entry)) this.#check(path, seen);
      else if (entry.isDirectory()) this.#scanSubagents(path, seen, { isRecent });
    }
  }

  #onProjectEvent(project: string, name: string | null): void {
    const path = join(project, name ?? '');
    if (name === null) this.#scanProject(project, new Set());
    else if (name.endsWith('.jsonl')) {
      this.#check(path, new Set());
      const session = path.slice(0, -'.jsonl'.length);
      if (statOf(session)?.isDirectory()) this.#scanSession(session, new Set(), { isActive: true });
    } else if (statOf(path)?.isDirectory()) this.#scanSession(path, new Set(), { isActive: true });
  }

  #check(path: string, seen: Set<string>): void {
    const found = statOf(path);
    if (!found?.isFile()) {
      if (this.#files.has(path)) this.#forget(path);
      return;
    }
    seen.add(path);
    const { size, mtimeMs, ino: inode } = found;
    const known = this.#files.get(path);
    if (known && known.size === size && known.mtimeMs === mtimeMs && known.inode === inode) return;
    this.#files.set(path, { size, mtimeMs, inode });
    this.#options.onChange(path, { isFirst: this.#isFirst, mtimeMs });
  }

  #forget(path: string): void {
    this.#files.delete(path);
    this.#options.onGone(path);
  }

  /** False: there is no watch on this folder. */
  #watch(folder: string, onEvent: (name: string | null) => void, { isLink = false } = {}): boolean {
    const found = isLink ? targetOf(folder) : statOf(folder);
    const known = this.#watches.get(folder);
    // a folder that was removed and recreated is a different one that the watch doesn't know
    if (known && found?.ino === known.inode) return true;
    this.#unwatch(folder);
    if (!found?.isDirectory() || this.#watches.size >= MAX_WATCHES) return false;
    try {
      const watcher = watch(folder, { persistent: false }, (_, name) => onEvent(name));
      watcher.on('error', () => this.#unwatch(folder));
      this.#watches.set(folder, { watcher, inode: found.ino });
      return true;
    } catch (error) {
      this.#isBlind = true;
      if (!isExpected(error)) this.#options.onError(error);
      return false;
    }
  }

  #unwatch(folder: string): void {
    this.#watches.get(folder)?.watcher.close();
    this.#watches.delete(folder);
  }
}

/** The folder itself may be a link: people keep it elsewhere. */
function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (isGone(error)) return folder;
    throw error;
  }
}

/** Links are ignored: someone who can create one must not lead us elsewhere. */
function isTranscript(entry: Dirent): boolean {
  return entry.isFile() && entry.name.endsWith('.jsonl');
}

function list(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (isGone(error)) return [];
    throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function targetOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}

function isGone(error: unknown): boolean {
  return ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(String((error as NodeJS.ErrnoException).code));
}

/** Too many watches on this machine, or a folder that disappeared meanwhile. */
function isExpected(error: unknown): boolean {
  return isGone(error) || ['ENOSPC', 'EMFILE', 'ENFILE'].includes(String((error as NodeJS.ErrnoException).code));
}
