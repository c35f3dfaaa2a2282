import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../../../contract/runner-names.ts';
import {
  type RunnerCommand,
  type RunnerEvent,
  type RunnerProcess,
  RunnerProcesses,
  type RunnerSync,
  type RunnerSynced,
} from '../../../contract/runners.ts';
import { OpenMessages } from '../../../runner/open-messages.ts';
import type { Core } from '../../core.ts';
import { DomainError } from '../../errors.ts';
import { Exclusive } from '../../exclusive.ts';
import type { Draft } from '../../journal/journal.ts';
import { bootId } from '../../processes/boot-id.ts';
import { isAlive } from '../../processes/process-table.ts';
import { endOrphans } from './end-orphans.ts';
import { readSpool } from './read-spool.ts';
import { RunnerRows } from './runner-rows.ts';
import { toDraft } from './to-draft.ts';

const POLL_MS = 500;
/** A runner that hasn't identified its process by then never will. */
const STARTING_MS = 30_000;
const HEARTBEAT_MS = 10_000;
/** Events of a dead runner to import per batch. */
const IMPORT_AT_ONCE = 500;

export interface Runner {
  id: string;
  sessionId: string;
  dir: string;
  startedAt: number;
  /** Events up to this number are in the journal. */
  acked: number;
  /** Undefined: the runner hasn't written it yet. */
  processes: RunnerProcesses | undefined;
  /** Sends commands to the runner. Undefined: not connected. */
  send: ((command: RunnerCommand) => void) | undefined;
  commands: Map<string, PendingCommand>;
  /** The message it is currently writing. */
  open: OpenMessages;
  /** It announced that it is ending. */
  hasEnded: boolean;
  /** It failed to start. */
  failure: string | undefined;
}

interface PendingCommand {
  command: Command;
  settle: (outcome: { error: string | null; data?: unknown }) => void;
}

type Command = Exclude<RunnerCommand, { kind: 'heartbeat' }>;
/** A command without its id. */
export type Order = Command extends infer C ? (C extends unknown ? Omit<C, 'id'> & { id?: string } : never) : never;

/** Handles what runners report. */
export interface RunnerListener {
  /** Further journal events for a report, written in the same transaction. */
  draftsFor(runner: Runner, event: RunnerEvent): Draft[];
  onSynced(runner: Runner, sync: RunnerSync): Promise<RunnerSynced['verdicts']>;
  onAttached(runner: Runner): void;
  /** Its process is gone. */
  onGone(runner: Runner, gone: Gone): Promise<void>;
}

export interface Gone {
  /** It had announced its end. */
  isExpected: boolean;
  /** Processes of its that had to be ended. */
  ended: number[];
  /** How many of its events can't be read. */
  unreadable: number;
}

export interface RunnersOptions {
  core: Core;
  /** Contains one folder per runner. */
  folder: string;
  rowFor?: ((sessionId: string, endedCall: string | undefined) => Draft['write']) | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * The processes that host sessions. They outlive this daemon. The next one finds them by their folder on disk and the pid and start time in
 * it, and they reconnect on their own.
 */
export class Runners {
  readonly #options: RunnersOptions;
  readonly #rows: RunnerRows;
  readonly #byId = new Map<string, Runner>();
  readonly #inOrder = new Exclusive();
  readonly #attachListeners: ((sessionId: string) => void)[] = [];
  #listener: RunnerListener | undefined;
  #timer: NodeJS.Timeout | undefined;
  #heart: NodeJS.Timeout | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: RunnersOptions) {
    this.#options = options;
    this.#rows = new RunnerRows(options.core.journal.db);
    for (const { id, sessionId, acked } of this.#rows.live())
      this.#add({ id, sessionId, acked, startedAt: options.now() });
  }

  listen(listener: RunnerListener): void {
    this.#listener = listener;
  }

  /** Called when commands can reach a session again. */
  onAttached(listener: (sessionId: string) => void): void {
    this.#attachListeners.push(listener);
  }

  start(): void {
    const check = () => {
      this.#checking ??= this.#check()
        .catch(this.#options.onError)
        .finally(() => {
          this.#checking = undefined;
        });
    };
    this.#timer = setInterval(check, POLL_MS);
    this.#heart = setInterval(() => {
      for (const { send } of this.#byId.values()) send?.({ kind: 'heartbeat' });
    }, HEARTBEAT_MS);
    check();
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    clearInterval(this.#heart);
    await this.#checking;
  }

  /** The runner that currently hosts a session. */
  of(sessionId: string): Runner | undefined {
    for (const runner of this.#byId.values()) if (runner.sessionId === sessionId) return runner;
    return undefined;
  }

  all(): Iterable<Runner> {
    return this.#byId.values();
  }

  /** The live runners with their sessions. Every descendant of a runner belongs to its session. */
  processes(): (RunnerProcess & { sessionId: string })[] {
    return [...this.#byId.values()].flatMap((runner) => {
      const own = runner.processes?.runner ?? this.processOf(runner);
      return own ? [{ ...own, sessionId: runner.sessionId }] : [];
    });
  }

  /** The caller writes its row together with everything else the start writes. */
  create(sessionId: string, id: string = randomUUID()): { runner: Runner; write: () => void } {
    const startedAt = this.#options.now();
    const runner = this.#add({ id, sessionId, acked: 0, startedAt });
    return { runner, write: () => this.#rows.insert(runner.id, sessionId, startedAt) };
  }

  /** It failed to start, or ended before it reported anything. */
  fail(runner: Runner, why: string): void {
    runner.failure ??= why;
  }

  forget({ id }: Runner): void {
    this.#byId.delete(id);
  }

  #add(known: Pick<Runner, 'id' | 'sessionId' | 'acked' | 'startedAt'>): Runner {
    const runner: Runner = {
      ...known,
      dir: join(this.#options.folder, known.id),
      processes: undefined,
      send: undefined,
      commands: new Map(),
      open: new OpenMessages(),
      hasEnded: false,
      failure: undefined,
    };
    this.#byId.set(known.id, runner);
    return runner;
  }

  /** The calling runner. Throws unless the id belongs to this session. */
  require(id: string, sessionId: string): Runner {
    const runner = this.#byId.get(id);
    if (runner?.sessionId === sessionId) return runner;
    throw new DomainError('runner.unknown', 404, `No runner ${id}. Its session has ended here.`);
  }

  /** The runner's process, as far as it has reported one. */
  processOf(runner: Runner): RunnerProcess | undefined {
    return this.refresh(runner)?.runner;
  }

  /** Rereads its processes: the client starts after the runner and may be replaced later. */
  refresh(runner: Runner): RunnerProcesses | undefined {
    runner.processes = readProcessesOf(runner.dir) ?? runner.processes;
    return runner.processes;
  }

  /** From now on it receives commands. Commands it hasn't settled are sent again. */
  attach(runner: Runner, send: (command: RunnerCommand) => void): () => void {
    runner.send = send;
    send({ kind: 'heartbeat' });
    for (const { command } of runner.commands.values()) send(command);
    this.#listener?.onAttached(runner);
    for (const listener of this.#attachListeners) listener(runner.sessionId);
    return () => {
      if (runner.send === send) runner.send = undefined;
    };
  }

  /** Resolves when the runner has executed the command; if it is away, it gets the command when it reconnects. Rejects on failure or timeout. */
  command(runner: Runner, order: Order, { timeoutMs }: { timeoutMs: number }): Promise<unknown> {
    const command = { ...order, id: order.id ?? randomUUID() } as Command;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        runner.commands.delete(command.id);
        reject(new DomainError('runner.silent', 504, 'The session did not answer in time.'));
      }, timeoutMs);
      runner.commands.set(command.id, {
        command,
        settle: ({ error, data }) => {
          clearTimeout(timer);
          runner.commands.delete(command.id);
          if (error === null) resolve(data);
          else reject(new DomainError('runner.refused', 409, error));
        },
      });
      runner.send?.(command);
    });
  }

  /** Sends once, without waiting. */
  tell(runner: Runner, order: Order): void {
    runner.send?.({ ...order, id: order.id ?? randomUUID() } as Command);
  }

  /** Resolves when the reports are in the journal, each event exactly once. */
  async sync(runner: Runner, sync: RunnerSync): Promise<RunnerSynced> {
    await this.#inOrder.run(runner.id, () => this.#takeIn(runner, sync.events));
    const { hub } = this.#options.core;
    for (const delta of sync.deltas) {
      runner.open.take(delta);
      hub.announce('message_delta', { ...delta, sessionId: runner.sessionId });
    }
    if (sync.shells) hub.announce('shells_changed', { ...sync.shells, sessionId: runner.sessionId });
    if (sync.events.some(({ kind }) => kind === 'result')) runner.open.clear();
    for (const { id, ...outcome } of sync.outcomes) runner.commands.get(id)?.settle(outcome);
    const verdicts = (await this.#listener?.onSynced(runner, sync)) ?? [];
    return { acked: runner.acked, verdicts };
  }

  async #takeIn(runner: Runner, events: RunnerEvent[]): Promise<void> {
    const fresh = events.filter(({ seq }) => seq > runner.acked);
    const last = fresh.at(-1)?.seq;
    if (last === undefined) return;
    const { core, rowFor } = this.#options;
    const drafts = fresh.flatMap((event) => {
      const draft = toDraft(runner.sessionId, event, rowFor);
      return [...(draft ? [draft] : []), ...(this.#listener?.draftsFor(runner, event) ?? [])];
    });
    // the position is written in the same transaction, so a crash neither loses nor repeats an event
    const ack = () => this.#rows.ack(runner.id, last);
    const end = drafts.at(-1);
    if (end) {
      const { write } = end;
      end.write = (db) => {
        write?.(db);
        ack();
      };
      await core.recordAll(drafts);
    } else ack();
    runner.acked = last;
    if (fresh.some(({ kind }) => kind === 'ended')) runner.hasEnded = true;
  }

  async #check(): Promise<void> {
    for (const runner of [...this.#byId.values()]) {
      this.refresh(runner);
      if (runner.failure === undefined && (await this.#isThere(runner))) continue;
      await this.#bury(runner);
    }
  }

  /** A silent runner isn't dead: only a missing process counts. */
  async #isThere({ processes, startedAt }: Runner): Promise<boolean> {
    if (!processes) return this.#options.now() - startedAt < STARTING_MS;
    return processes.bootId === bootId() && isAlive(processes.runner);
  }

  /** First imports the events that only reached the runner's file, then ends the processes it left running. */
  async #bury(runner: Runner): Promise<void> {
    const { now, onError } = this.#options;
    runner.send = undefined;
    this.refresh(runner);
    let unreadable = 0;
    try {
      const path = join(runner.dir, RUNNER_FILES.spool);
      const { events, broken } = readSpool(path, { after: runner.acked });
      unreadable = broken.length;
      if (unreadable > 0) onError(new Error(`${path} has lines that can't be read: ${broken.slice(0, 20).join(', ')}`));
      for (let at = 0; at < events.length; at += IMPORT_AT_ONCE)
        await this.#inOrder.run(runner.id, () => this.#takeIn(runner, events.slice(at, at + IMPORT_AT_ONCE)));
    } catch (error) {
      onError(error);
    }
    const ended = runner.processes ? await endOrphans(runner.processes) : [];
    for (const { settle } of [...runner.commands.values()]) settle({ error: 'The session has ended.' });
    this.#byId.delete(runner.id);
    await this.#listener?.onGone(runner, { isExpected: runner.hasEnded, ended, unreadable });
    this.#rows.end(runner.id, now());
    // after a crash, keep the log, which shows why, and events that can't be read
    if (runner.hasEnded && unreadable === 0) rmSync(runner.dir, { recursive: true, force: true });
    else for (const name of [RUNNER_FILES.spec]) rmSync(join(runner.dir, name), { force: true });
  }
}

/** Undefined: the runner hasn't written it yet, or is writing it right now. */
function readProcessesOf(dir: string): RunnerProcesses | undefined {
  const path = join(dir, RUNNER_FILES.processes);
  if (!existsSync(path)) return undefined;
  try {
    return RunnerProcesses.safeParse(JSON.parse(readFileSync(path, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
