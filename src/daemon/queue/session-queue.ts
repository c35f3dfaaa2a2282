import { availableParallelism } from 'node:os';
import type { EventsOf } from '../../contract/events.ts';
import type { OrchestratedSession } from '../../contract/orchestration.ts';
import type { QueueEntry, QueueLimits, QueueLimitsChange, QueueMove, QueueView } from '../../contract/queue.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { StartQueue } from '../orchestrator/start-queue.ts';
import type { PaceState } from './pace.ts';
import type { Waiting } from './plan-starts.ts';
import { Queue } from './queue.ts';

/** Frequent enough for a page, without announcing each change of a hundred sessions. */
const ANNOUNCE_MS = 250;
const SHOWN = 500;

interface SavedLimits extends Omit<QueueLimits, 'machine'> {
  machine: number | null;
}

export interface SessionQueueOptions {
  core: Core;
  limits: { get(): SavedLimits; set(limits: SavedLimits): void };
  state: { load(): PaceState; save(state: PaceState): void };
  now: () => number;
  onError: (error: unknown) => void;
}

/** A default for this machine: agents mostly wait for the model, but their tests and builds don't. */
const fitting = (): number => Math.min(16, Math.max(6, 2 * availableParallelism()));

/** The queue of sessions started from here. */
export class SessionQueue implements StartQueue {
  readonly #options: SessionQueueOptions;
  #orchestrator: Orchestrator | undefined;
  #queue: Queue | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SessionQueueOptions) {
    this.#options = options;
  }

  /** Queues the sessions again that were waiting when the last daemon ended. */
  attach(orchestrator: Orchestrator): void {
    const { state, now, onError } = this.#options;
    this.#orchestrator = orchestrator;
    this.#queue = new Queue({
      host: {
        active: () => orchestrator.active(),
        outcomeOf: (ref, project) => orchestrator.outcomeOf(ref, project),
        launch: (id) => orchestrator.launch(id),
        fail: (id, why) => orchestrator.giveUp(id, why),
        explain: (id, why) => orchestrator.explain(id, why),
      },
      limits: () => this.limits(),
      state,
      now,
      onError,
    });
    orchestrator.onChange(() => {
      this.#queue?.poke();
      this.#announce();
    });
    for (const session of orchestrator.queued()) this.#queue.add(toWaiting(session));
  }

  start(): void {
    this.#queue?.start();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#queue?.stop();
  }

  offer(session: OrchestratedSession): string | undefined {
    this.#announce();
    return this.#queue?.offer(toWaiting(session));
  }

  release(sessionId: string): void {
    this.#queue?.release(sessionId);
    this.#announce();
  }

  refused({ why, until, limit }: { why: string; until: number | null; limit: string | null }): void {
    if (limit === null) {
      this.#queue?.noteBusy();
      return;
    }
    this.#queue?.noteLimit({ until, why });
    const detail = until === null ? why : `${why}, until ${new Date(until).toISOString()}`;
    this.#record('queue.limited', { detail, by: 'control' }).catch(this.#options.onError);
  }

  limits(): QueueLimits {
    const { machine, project, projects } = this.#options.limits.get();
    return { machine: machine ?? fitting(), project, projects };
  }

  async setLimits({ machine, project, projects = {} }: QueueLimitsChange, by: string): Promise<QueueView> {
    const before = this.#options.limits.get();
    const merged = Object.entries({ ...before.projects, ...projects }).filter(
      (entry): entry is [string, number] => entry[1] !== null,
    );
    this.#options.limits.set({
      machine: machine === undefined ? before.machine : machine,
      project: project === undefined ? before.project : project,
      projects: Object.fromEntries(merged),
    });
    this.#queue?.poke();
    const limits = this.limits();
    await this.#record('queue.limits_set', { by, detail: `${limits.machine} at once` });
    return this.view();
  }

  async pause(by: string): Promise<QueueView> {
    this.#queue?.pause(by);
    await this.#record('queue.paused', { by });
    return this.view();
  }

  async resume(by: string): Promise<QueueView> {
    this.#queue?.resume();
    await this.#record('queue.resumed', { by });
    return this.view();
  }

  async move(id: string, change: QueueMove, by: string): Promise<QueueView> {
    if (!this.#queue?.move(id, change))
      throw new DomainError(
        'queue.not_waiting',
        409,
        `Session ${id} isn't waiting in the queue. It may have started already.`,
      );
    const { priority, startAt } = change;
    const moved = { ...(priority === undefined ? {} : { priority }), ...(startAt === undefined ? {} : { startAt }) };
    await this.#orchestrator?.move(id, moved, by);
    return this.view();
  }

  view(): QueueView {
    const queued = new Map((this.#orchestrator?.queued() ?? []).map((session) => [session.id, session]));
    const order = this.#queue?.order() ?? [];
    const waiting = order.flatMap((id) => queued.get(id) ?? []);
    const { allowed, pause } = this.#queue?.allowance() ?? { allowed: 0, pause: null };
    return {
      limits: this.limits(),
      isAutomatic: this.#options.limits.get().machine === null,
      allowed,
      pause,
      total: waiting.length,
      waiting: waiting.slice(0, SHOWN).map(toEntry),
      running: (this.#orchestrator?.active() ?? []).map(toEntry),
    };
  }

  #announce(): void {
    const { hub } = this.#options.core;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (hub.clientCount > 0) hub.announce('queue_changed', {});
    }, ANNOUNCE_MS);
  }

  async #record(name: EventsOf<'queue'>, payload: { by: string; detail?: string }): Promise<void> {
    const source = payload.by === 'control' ? 'control' : 'operator';
    await this.#options.core.record({ sessionId: '', source, name, payload });
  }
}

function toWaiting({ id, project, parentId, priority, startAt, after, createdAt }: OrchestratedSession): Waiting {
  return { id, project, parentId, priority, startAt, after, createdAt };
}

function toEntry(session: OrchestratedSession): QueueEntry {
  const { id, name, project, prompt, lifecycle, priority, startAt, after, waitsFor, createdAt, startedAt } = session;
  return { id, name, project, prompt, lifecycle, priority, startAt, after, waitsFor, createdAt, startedAt };
}
