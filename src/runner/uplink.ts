import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { AnsweredHere } from '../agent/permission/decision.ts';
import type { Client } from '../client/client.ts';
import { CallRefused } from '../client/errors.ts';
import { readLines } from '../client/read-lines.ts';
import type { DaemonFile } from '../contract/daemon.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import type {
  MessageDelta,
  RunnerAsk,
  RunnerCommand,
  RunnerNews,
  RunnerSpec,
  RunnerSync,
  RunnerVerdict,
} from '../contract/runners.ts';
import { aborted } from './aborted.ts';
import { OpenMessages } from './open-messages.ts';
import type { Spool } from './spool.ts';

const EVENTS_AT_ONCE = 500;
/** Deltas that weren't fetched in time are useless later. */
const DELTAS_KEPT = 500;
const FIRST_RETRY_MS = 100;
const LAST_RETRY_MS = 1000;
/** The daemon sends something at least every ten seconds. A silent one is gone, even if the connection looks alive. */
const SILENCE_MS = 30_000;

interface OpenAsk {
  ask: RunnerAsk;
  isSent: boolean;
  resolve(verdict: RunnerVerdict): void;
}

export interface UplinkOptions {
  spec: Pick<RunnerSpec, 'runnerId' | 'dataDir'>;
  /** The credential for the daemon that currently listens there. Throws if there is none. */
  token: (url: string) => Promise<string>;
  /** The daemon doesn't know us, or no longer does. */
  onRefused?: (error: CallRefused) => void;
  onAttached?: () => void;
  onDetached?: () => void;
  boot: RunnerSync['boot'];
  spool: Spool;
  onCommand: (command: Exclude<RunnerCommand, { kind: 'heartbeat' | 'verdict' }>) => void;
  log: (text: string) => void;
}

/**
 * The connection to the daemon. The daemon may go away at any time and come back at another address, so the address is read before every
 * connection. Unacknowledged events are resent and open questions are asked again, so nothing depends on a single connection.
 */
export class Uplink {
  readonly #options: UplinkOptions;
  readonly #asks = new Map<string, OpenAsk>();
  readonly #closed = new AbortController();
  /** Questions that the daemon has answered. The same verdict may arrive twice. */
  readonly #received = new Set<string>();
  #answered: RunnerSync['answered'] = [];
  readonly #open = new OpenMessages();
  #deltas: Omit<MessageDelta, 'sessionId'>[] = [];
  #shells: RunnerSync['shells'] = null;
  #withdrawn: string[] = [];
  #outcomes: RunnerSync['outcomes'] = [];
  #client: Client | undefined;
  #wire: typeof import('./wire.ts') | undefined;
  #wake: () => void = () => undefined;
  #isSyncing: Promise<void> | undefined;
  #hasTried: () => void = () => undefined;
  /** Resolves when the daemon has been reached, or the first attempt has failed. */
  readonly tried = new Promise<void>((resolve) => {
    this.#hasTried = resolve;
  });

  constructor(options: UplinkOptions) {
    this.#options = options;
  }

  get isAttached(): boolean {
    return this.#client !== undefined;
  }

  report(news: RunnerNews): void {
    this.#options.spool.append(news);
    if (news.kind === 'result') this.#open.clear();
    this.#changed();
  }

  delta(delta: Omit<MessageDelta, 'sessionId'>): void {
    this.#open.take(delta);
    if (!this.#client) return;
    this.#deltas.push(delta);
    if (this.#deltas.length > DELTAS_KEPT) this.#deltas.shift();
    this.#changed();
  }

  shellsChanged({ list, output }: NonNullable<RunnerSync['shells']>): void {
    if (!this.#client) return;
    const before = this.#shells ?? { list: false, output: [] };
    this.#shells = { list: list || before.list, output: [...new Set([...before.output, ...output])].slice(-1000) };
    this.#changed();
  }

  /** The outcome of a command. */
  settle(id: string, outcome: { error?: string | null; data?: unknown } = {}): void {
    this.#outcomes.push({
      id,
      error: outcome.error ?? null,
      ...(outcome.data === undefined ? {} : { data: outcome.data }),
    });
    this.#changed();
  }

  ask(ask: RunnerAsk, signal: AbortSignal): Promise<RunnerVerdict> {
    return new Promise((resolve, reject) => {
      const { correlationId } = ask;
      const withdraw = () => {
        if (!this.#asks.delete(correlationId)) return;
        const { reason } = signal;
        if (reason instanceof AnsweredHere) this.#answered.push({ correlationId, decision: reason.decision });
        else this.#withdrawn.push(correlationId);
        this.#changed();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', withdraw, { once: true });
      this.#asks.set(correlationId, {
        ask,
        isSent: false,
        resolve: (verdict) => {
          signal.removeEventListener('abort', withdraw);
          resolve(verdict);
        },
      });
      this.#changed();
    });
  }

  /** Runs until it is closed. */
  async run(): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#closed.signal.aborted) {
      try {
        await this.#connect(() => {
          retryMs = FIRST_RETRY_MS;
          this.#hasTried();
        });
      } catch (error) {
        if (this.#closed.signal.aborted) break;
        if (error instanceof CallRefused) this.#options.onRefused?.(error);
        if (retryMs === FIRST_RETRY_MS) this.#options.log(`Can't reach the daemon: ${(error as Error).message}`);
      }
      this.#hasTried();
      this.#client = undefined;
      await sleep(retryMs, undefined, { signal: this.#closed.signal }).catch(() => undefined);
      retryMs = Math.min(retryMs * 2, LAST_RETRY_MS);
    }
  }

  /** Waits until everything reported is in the journal, or the time is up. */
  async drain(timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs;
    while (!this.#options.spool.isEmpty && Date.now() < until) {
      this.#changed();
      await sleep(20);
    }
  }

  close(): void {
    this.#closed.abort();
    this.#wake();
  }

  async #connect(onAttached: () => void): Promise<void> {
    const { spec } = this.#options;
    const { url } = JSON.parse(readFileSync(join(spec.dataDir, DATA_FILES.daemon), 'utf8')) as DaemonFile;
    this.#wire ??= await import('./wire.ts');
    const { Client, readRunnerCommands } = this.#wire;
    const client = new Client(url, { token: await this.#options.token(url), isLocal: false });
    const silence = new AbortController();
    let timer = setTimeout(() => silence.abort(), SILENCE_MS);
    const signal = AbortSignal.any([silence.signal, this.#closed.signal]);
    try {
      const lines = readLines(await client.stream(readRunnerCommands, { params: { id: spec.runnerId }, signal }));
      this.#client = client;
      for (const open of this.#asks.values()) open.isSent = false;
      // a new daemon doesn't have the start of an open message
      this.#deltas = this.#open.deltas();
      onAttached();
      this.#options.onAttached?.();
      const syncing = this.#syncWhile(client, signal);
      syncing.catch(() => silence.abort());
      for await (const line of lines) {
        clearTimeout(timer);
        timer = setTimeout(() => silence.abort(), SILENCE_MS);
        this.#take(JSON.parse(line));
      }
    } finally {
      clearTimeout(timer);
      silence.abort();
      if (this.#client) this.#options.onDetached?.();
      this.#client = undefined;
      this.#wake();
      await this.#isSyncing?.catch(() => undefined);
    }
  }

  #take(command: RunnerCommand): void {
    if (command.kind === 'heartbeat') return;
    if (command.kind === 'verdict') this.#answer(command.verdict);
    else this.#options.onCommand(command);
  }

  #answer(verdict: RunnerVerdict): void {
    const { correlationId } = verdict;
    const open = this.#asks.get(correlationId);
    this.#asks.delete(correlationId);
    if (open) this.#received.add(correlationId);
    const isTooLate = !this.#received.has(correlationId);
    open?.resolve(verdict);
    this.settle(correlationId, isTooLate ? { error: 'It was answered before.' } : {});
  }

  /** One request at a time. Whatever comes up meanwhile goes out with the next one. */
  async #syncWhile(client: Client, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const changed = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#isSyncing = this.#hasNews() ? this.#sync(client) : undefined;
      if (this.#isSyncing) await this.#isSyncing;
      else await Promise.race([changed, aborted(signal)]);
    }
  }

  #hasNews(): boolean {
    const { spool } = this.#options;
    const isUnsent = [...this.#asks.values()].some(({ isSent }) => !isSent);
    return !spool.isEmpty || isUnsent || this.#waiting() > 0;
  }

  #waiting(): number {
    const shells = this.#shells === null ? 0 : 1;
    return shells + this.#deltas.length + this.#withdrawn.length + this.#answered.length + this.#outcomes.length;
  }

  async #sync(client: Client): Promise<void> {
    const { spool, spec, boot } = this.#options;
    const events = spool.next(EVENTS_AT_ONCE);
    const deltas = this.#deltas.splice(0);
    const shells = this.#shells;
    this.#shells = null;
    const withdrawn = this.#withdrawn.splice(0);
    const answered = this.#answered.splice(0);
    const outcomes = this.#outcomes.splice(0);
    const unsent = [...this.#asks.values()].filter(({ isSent }) => !isSent);
    for (const open of unsent) open.isSent = true;
    try {
      const { syncRunner } = this.#wire!;
      const { acked, verdicts } = await client.call(syncRunner, {
        params: { id: spec.runnerId },
        body: { boot, events, deltas, shells, withdrawn, answered, outcomes, asks: unsent.map(({ ask }) => ask) },
      });
      spool.ack(acked);
      for (const verdict of verdicts) this.#answer(verdict);
    } catch (error) {
      for (const open of unsent) open.isSent = false;
      this.#withdrawn.unshift(...withdrawn);
      this.#answered.unshift(...answered);
      this.#outcomes.unshift(...outcomes);
      throw error;
    }
  }

  #changed(): void {
    this.#wake();
  }
}
