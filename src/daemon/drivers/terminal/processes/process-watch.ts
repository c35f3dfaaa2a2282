import { type FSWatcher, watch } from 'node:fs';
import type { EventNews } from '../../../../contract/events.ts';
import type { DialogNow } from '../../../approvals/deliveries.ts';
import type { Draft } from '../../../journal/journal.ts';
import { type PidFile, pidFolder, readPidFile, readPidFiles } from '../../../processes/pid-files.ts';
import { findClients, isAlive } from '../../../processes/process-table.ts';
import type { SpareClients } from '../../../processes/spare-clients.ts';
import { partOf } from '../../../sessions/clients.ts';
import { isHeadless } from '../../../sessions/entrypoint.ts';
import type { LiveModel } from '../../../sessions/live-model.ts';
import type { Session } from '../../../sessions/session.ts';
import { catchUp } from './catch-up.ts';
import { findContradiction } from './contradiction.ts';
import { type Asked, Dialogs } from './dialogs.ts';

const POLL_MS = 1000;
/** The client replaces a file for each change of its status, which is several events in the folder. */
const GATHER_MS = 20;
const TABLE_MS = 5000;
/** A session whose process we never saw (an old client, another machine) is given up after this much silence. */
const GIVE_UP_MS = 300_000;
/** A headless run exits with its turn without saying so. One too short to be seen is given up after this. */
const GIVE_UP_HEADLESS_MS = 10_000;

export interface WatchOptions {
  configDir: string;
  spareClients: SpareClients;
  live: LiveModel;
  record: (draft: Draft) => Promise<unknown>;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Tracks which process belongs to which session, and whether it is alive. Checks when the client touches its files, and once a second for
 * what leaves no trace there: a killed process.
 */
export class ProcessWatch {
  readonly #options: WatchOptions;
  readonly #announced = new Set<string>();
  readonly #dialogs = new Dialogs();
  #timer: NodeJS.Timeout | undefined;
  #soon: NodeJS.Timeout | undefined;
  #gathering: NodeJS.Timeout | undefined;
  #watcher: FSWatcher | undefined;
  #checking: Promise<void> | undefined;
  #again = false;
  #lastTable = 0;

  constructor(options: WatchOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#wake(), POLL_MS);
    this.#wake();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearTimeout(this.#soon);
    clearTimeout(this.#gathering);
    this.#watcher?.close();
    this.#again = false;
    await this.#checking;
  }

  /** A session is new: a short run may be over before the next check. */
  wake(): void {
    if (this.#timer) this.#wake();
  }

  #wake(): void {
    this.#watchFolder();
    if (this.#checking) {
      this.#again = true;
      return;
    }
    this.#checking = this.check()
      .catch(this.#options.onError)
      .finally(() => {
        this.#checking = undefined;
        if (this.#again) this.#wake();
        this.#again = false;
      });
  }

  #gather(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      this.#wake();
    }, GATHER_MS);
  }

  /** The folder appears with the first client. */
  #watchFolder(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(pidFolder(this.#options.configDir), () => this.#gather());
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') this.#options.onError(error);
      return;
    }
    this.#watcher.on('error', () => {
      this.#watcher?.close();
      this.#watcher = undefined;
    });
  }

  /** Finds out what happened while we were down, before anyone sees a state. */
  async catchUp(): Promise<void> {
    const { live, record } = this.#options;
    const files = await this.#livingFiles();
    for (const file of files) this.#dialogs.note(file);
    await catchUp({ files: files.filter((file) => live.get(file.sessionId) || !this.#isSpare(file)), live, record });
  }

  #isSpare(file: PidFile): boolean {
    return this.#options.spareClients.has(file);
  }

  /** One full check. */
  async check(): Promise<void> {
    const { live, now } = this.#options;
    const files = await this.#livingFiles();
    for (const file of files) this.#dialogs.note(file);
    this.#dialogs.forgetAllBut(new Set(files.map(({ pid }) => pid)));
    for (const file of files) {
      const session = live.get(file.sessionId);
      // In its first moments, a client doesn't report what it does; a session that only it knows can wait.
      if (!session && (!file.status || this.#isSpare(file))) continue;
      if (session && pidsOf(session).includes(file.pid)) await this.#correct(session, file);
      else await this.#announce(file);
    }
    const sessionOf = new Map(files.map((file) => [file.pid, file.sessionId]));
    for (const session of [...live.sessions()]) {
      if (session.endedAt !== null || !session.process) continue;
      for (const process of [session.process, ...session.others]) {
        if (!(await this.#isGone(session.id, process, sessionOf))) continue;
        // It may have reported its own end during the check.
        const now = live.get(session.id);
        if (now?.endedAt === null && pidsOf(now).includes(process.pid)) await this.#end(session.id, process.pid);
      }
    }
    if (now() - this.#lastTable >= TABLE_MS) await this.#lookAtTable(new Set(sessionOf.keys()));
  }

  async #livingFiles(): Promise<PidFile[]> {
    const files = await readPidFiles(this.#options.configDir);
    const alive = await Promise.all(files.map((file) => isAlive({ pid: file.pid, start: file.procStart ?? null })));
    return files.filter((_, index) => alive[index]);
  }

  /** Once per process and session: a session the operator deleted stays deleted until it reports something. */
  async #announce(file: PidFile): Promise<void> {
    const key = `${file.pid} ${file.procStart} ${file.sessionId}`;
    if (this.#announced.has(key)) return;
    this.#announced.add(key);
    const { pid, procStart: start, version, cwd, kind, entrypoint, status, waitingFor } = file;
    const seen = { pid, start, version, cwd, kind, entrypoint, status, waitingFor };
    await this.#record(file.sessionId, { name: 'process.seen', payload: seen });
  }

  async #correct(session: Session, file: PidFile): Promise<void> {
    const observed = { now: this.#options.now(), waitedAt: this.#dialogs.openAt(file.pid) };
    const isShared = session.others.length > 0;
    const found = findContradiction(isShared ? partOf(session, file.pid) : session, file, observed);
    if (!found) return;
    if ('checkIn' in found) return this.#checkIn(found.checkIn);
    const pid = isShared ? { pid: file.pid } : {};
    const payload = { ...found, waitingFor: file.waitingFor, ...pid };
    await this.#record(session.id, { name: 'status.corrected', payload });
  }

  /** The folder is checked every second anyway. */
  #checkIn(ms: number): void {
    if (ms >= POLL_MS) return;
    clearTimeout(this.#soon);
    this.#soon = setTimeout(() => this.#wake(), ms);
  }

  /** The dialog of a call, and what the client does, according to the client right now. */
  async lookAtDialog(pid: number, asked: Asked): Promise<DialogNow> {
    const file = await readPidFile(this.#options.configDir, pid);
    if (file) this.#dialogs.note(file);
    const { isOpen = false, closedAt } = this.#dialogs.find(pid, asked) ?? {};
    return { isOpen, closedAt, isIdle: file?.status === 'idle' };
  }

  async #isGone(
    id: string,
    process: NonNullable<Session['process']>,
    sessionOf: Map<number, string>,
  ): Promise<boolean> {
    const other = sessionOf.get(process.pid);
    return (other !== undefined && other !== id) || !(await isAlive(process));
  }

  async #lookAtTable(knownPids: Set<number>): Promise<void> {
    const { live, now } = this.#options;
    this.#lastTable = now();
    // One that waits for the operator may be silent for as long as that takes.
    const unbound = [...live.sessions()].filter(
      ({ endedAt, process, apiAsks }) => endedAt === null && !process && apiAsks.length === 0,
    );
    if (unbound.length === 0) return;
    const clients = (await findClients()).filter((client) => !knownPids.has(client.pid));
    for (const session of unbound) {
      // A dying process has no folder, and neither has a session that hasn't reported one.
      const here = clients.filter((client) => client.cwd !== null && client.cwd === session.cwd);
      if (here.length === 1) await this.#record(session.id, { name: 'process.seen', payload: { ...here[0]! } });
      else if (here.length === 0 && now() - session.lastActivityAt > givenUpAfter(session))
        await this.#end(session.id, null);
    }
  }

  async #end(sessionId: string, pid: number | null): Promise<void> {
    await this.#record(sessionId, { name: 'process.gone', payload: { pid } });
  }

  async #record(sessionId: string, news: EventNews<'process' | 'status'>): Promise<void> {
    await this.#options.record({ sessionId, source: 'watch', ...news });
  }
}

const pidsOf = ({ process, others }: Session): number[] => (process ? [process, ...others].map(({ pid }) => pid) : []);

const givenUpAfter = ({ entrypoint, betweenTurns }: Session): number =>
  isHeadless(entrypoint) && betweenTurns ? GIVE_UP_HEADLESS_MS : GIVE_UP_MS;
