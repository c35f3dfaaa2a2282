import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Core } from '../../core.ts';
import { DomainError } from '../../errors.ts';
import type { ToolCall } from '../../sessions/session.ts';
import { changedIn, type ReadingUpdate, readingDraft } from '../../sessions/transcript-reading.ts';
import type { Lineage, LineageArgs } from '../index/lineage.ts';
import type { PriceBook } from '../prices/price-book.ts';
import type { FromTail, TailStart, ToTail } from './tail-messages.ts';

const RESTART_MS = 1_000;
/** Hooks arrive in hundreds a second, so what they refer to is checked together. */
const POKE_MS = 50;
/** Esc writes an outcome, too, and the client's own status reports it within half a second. */
const UNTOLD_MS = 700;
/** How soon to ask the index again what it couldn't answer yet. */
const LINEAGE_AGAIN_MS = { first: 100, most: 2_000 };

export interface LiveTranscriptsOptions {
  core: Core;
  /** The built file that threads run. */
  worker: string;
  configDir: string;
  /** Where the built-in agent keeps its transcripts. */
  nativeDir?: string;
  priceBook: PriceBook;
  /** null: the index hasn't read that far yet. */
  lineageOf: (asked: LineageArgs) => Promise<Lineage | null>;
  /** These transcripts were written to, or are gone. */
  onTouched: (paths: string[]) => void;
  onError: (error: unknown) => void;
}

/** Keeps each card up to date with its transcripts, through the journal like everything that changes a session. */
export class LiveTranscripts {
  readonly #options: LiveTranscriptsOptions;
  readonly #poked = new Set<string>();
  /** Calls with an outcome whose question is still open, as far as we know. */
  readonly #asked = new Map<string, string[]>();
  #tail: Worker | undefined;
  #restart: NodeJS.Timeout | undefined;
  #poking: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: LiveTranscriptsOptions) {
    this.#options = options;
    const { core, priceBook } = options;
    core.observe(({ sessionId, source }, change) => {
      if (change?.kind === 'session_discovered') this.#tell({ kind: 'follow', sessionIds: [sessionId] });
      else if (change?.kind === 'session_removed') this.#tell({ kind: 'unfollow', sessionId });
      if (source === 'hook' || source === 'runner') this.#poke(sessionId);
      const asked = this.#asked.get(sessionId);
      if (asked) this.#endCalls(sessionId, asked);
    });
    priceBook.onChange(() => this.#tell({ kind: 'prices', overrides: [...priceBook.overrides] }));
  }

  start(): void {
    const { worker, configDir, nativeDir, priceBook, core, onError } = this.#options;
    const places = { configDir, ...(nativeDir === undefined ? {} : { nativeDir }) };
    const workerData: TailStart = { role: 'tail', ...places, overrides: [...priceBook.overrides] };
    const tail = new Worker(worker, { workerData });
    this.#tail = tail;
    tail.on('message', (message: FromTail) => this.#hear(message));
    tail.on('error', onError);
    tail.on('exit', () => {
      this.#tail = undefined;
      if (!this.#isStopped) this.#restart = setTimeout(() => this.start(), RESTART_MS);
    });
    this.#tell({ kind: 'follow', sessionIds: [...core.live.sessions()].map(({ id }) => id) });
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#restart);
    clearTimeout(this.#poking);
    await this.#tail?.terminate();
  }

  #poke(sessionId: string): void {
    this.#poked.add(sessionId);
    this.#poking ??= setTimeout(() => {
      this.#poking = undefined;
      this.#tell({ kind: 'poke', sessionIds: [...this.#poked] });
      this.#poked.clear();
    }, POKE_MS);
  }

  #tell(message: ToTail): void {
    this.#tail?.postMessage(message);
  }

  #hear(message: FromTail): void {
    if (this.#isStopped) return;
    if (message.kind === 'reading') this.#record(message.sessionId, message.reading);
    else if (message.kind === 'results') this.#endLater(message.sessionId, message.callIds);
    else if (message.kind === 'lineage')
      this.#tellLineage(message, LINEAGE_AGAIN_MS.first).catch(this.#options.onError);
    else if (message.kind === 'touched') this.#options.onTouched(message.paths);
    else this.#options.onError(new Error(message.message));
  }

  async #tellLineage({ sessionId, readTo }: LineageArgs, again: number): Promise<void> {
    const { core, lineageOf } = this.#options;
    const lineage = await lineageOf({ sessionId, readTo }).catch((error: unknown) => {
      // the index is being rebuilt, or its file can't be read: reported elsewhere
      if (error instanceof DomainError) return null;
      throw error;
    });
    if (lineage) return this.#tell({ kind: 'lineage', sessionId, lineage });
    if (this.#isStopped || !core.live.get(sessionId)) return;
    await sleep(again, undefined, { ref: false });
    await this.#tellLineage({ sessionId, readTo }, Math.min(again * 2, LINEAGE_AGAIN_MS.most));
  }

  #endLater(sessionId: string, callIds: string[]): void {
    // most calls were ended by their hook
    if (!this.#openCalls(sessionId).some(({ id }) => id !== null && callIds.includes(id))) return;
    const end = () => this.#endCalls(sessionId, [...callIds, ...(this.#asked.get(sessionId) ?? [])]);
    setTimeout(() => this.#isStopped || end(), UNTOLD_MS).unref();
  }

  #openCalls(sessionId: string): ToolCall[] {
    const session = this.#options.core.live.get(sessionId);
    return session?.endedAt === null ? [session.main, ...session.subagents].flatMap(({ calls }) => calls) : [];
  }

  /**
   * The client doesn't report a call it denies by its own rules, or that the user refuses with a message. If a dialog is open, its outcome
   * is reported elsewhere and takes precedence.
   */
  #endCalls(sessionId: string, callIds: readonly string[]): void {
    const { core, onError } = this.#options;
    const ended = this.#openCalls(sessionId).filter(({ id }) => id !== null && callIds.includes(id));
    const asked = ended.flatMap(({ id, ask }) => (ask && id !== null ? [id] : []));
    if (asked.length > 0) this.#asked.set(sessionId, asked);
    else this.#asked.delete(sessionId);
    const ids = ended.flatMap(({ id, ask }) => (ask || id === null ? [] : [id]));
    if (ids.length > 0)
      core.record({ sessionId, source: 'watch', name: 'calls.ended', payload: { ids } }).catch(onError);
  }

  #record(sessionId: string, reading: ReadingUpdate): void {
    const { core, onError } = this.#options;
    const session = core.live.get(sessionId);
    const changed = session && changedIn(session.reading, reading);
    if (changed) core.record(readingDraft(sessionId, changed)).catch(onError);
  }
}
