import type { Lifecycle } from '../../contract/orchestration.ts';
import type { QueueLimits, QueueMove } from '../../contract/queue.ts';
import { type Allowance, allowance, busy, hold, limited, type PaceState, release } from './pace.ts';
import { type Active, inOrder, type Plan, planStarts, type Waiting } from './plan-starts.ts';

/** Deadlines use the wall clock: a timer longer than 25 days fires immediately, and timers don't run while the machine sleeps. */
const POLL_MS = 1000;
/** Programs that start at the same time slow each other down. */
const LAUNCHES = 3;

export interface QueueHost {
  /** Sessions with a runner, or whose runner is starting. */
  active(): readonly Active[];
  outcomeOf(ref: string, project: string | null): Lifecycle | undefined;
  /** Resolves when the session is active, or its failure is recorded. */
  launch(id: string): Promise<void>;
  /** It can never start. */
  fail(id: string, why: string): Promise<void>;
  /** What it waits for changed. */
  explain(id: string, why: string): Promise<void>;
}

export interface QueueOptions {
  host: QueueHost;
  limits: () => QueueLimits;
  /** State that must survive a restart. */
  state: { load(): PaceState; save(state: PaceState): void };
  now: () => number;
  onError: (error: unknown) => void;
}

/** Starts waiting sessions when it is their turn. The sessions are stored elsewhere; this only keeps the order. */
export class Queue {
  readonly #options: QueueOptions;
  readonly #waiting = new Map<string, Waiting>();
  /** Being launched: no longer waiting, and maybe not active yet. */
  readonly #launching = new Map<string, Waiting>();
  /** Sessions that their caller launches. */
  readonly #leftToCaller = new Set<string>();
  readonly #told = new Map<string, string>();
  #pace: PaceState;
  #timer: NodeJS.Timeout | undefined;
  #isPoked = false;

  constructor(options: QueueOptions) {
    this.#options = options;
    this.#pace = options.state.load();
  }

  start(): void {
    this.#timer ??= setInterval(() => this.#check(), POLL_MS);
    this.poke();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#waiting.clear();
  }

  /** Adds a session that is already on disk. */
  add(waiting: Waiting): void {
    this.#waiting.set(waiting.id, waiting);
    this.poke();
  }

  /** Like `add`, but leaves a session that can start right away to the caller and returns undefined. Otherwise returns what it waits for. */
  offer(waiting: Waiting): string | undefined {
    this.#waiting.set(waiting.id, waiting);
    const plan = this.#plan();
    if (plan.start.includes(waiting.id) && this.#launching.size < LAUNCHES) {
      this.#waiting.delete(waiting.id);
      this.#launching.set(waiting.id, waiting);
      this.#leftToCaller.add(waiting.id);
      return undefined;
    }
    this.poke();
    const why = plan.waits.find(({ id }) => id === waiting.id)?.why ?? 'Waiting for its turn';
    this.#told.set(waiting.id, why);
    return why;
  }

  /** It ended, or its caller didn't start it after all. */
  release(id: string): void {
    if (this.#leftToCaller.delete(id)) this.#launching.delete(id);
    this.remove(id);
    this.poke();
  }

  /** Removes a waiting session. False: it is being launched, or was never here. */
  remove(id: string): boolean {
    this.#told.delete(id);
    return this.#waiting.delete(id);
  }

  /** False: it is no longer waiting. */
  move(id: string, { priority, startAt }: QueueMove): boolean {
    const waiting = this.#waiting.get(id);
    if (!waiting) return false;
    this.#waiting.set(id, {
      ...waiting,
      ...(priority === undefined ? {} : { priority }),
      ...(startAt === undefined ? {} : { startAt }),
    });
    this.poke();
    return true;
  }

  /** Ids in start order. */
  order(): string[] {
    return [...this.#waiting.values()].sort(inOrder).map(({ id }) => id);
  }

  allowance(): Allowance {
    const { limits, now } = this.#options;
    return allowance(this.#pace, limits().machine, now());
  }

  /** Something ended, started or changed. */
  readonly poke = (): void => {
    if (this.#isPoked) return;
    this.#isPoked = true;
    setImmediate(() => {
      this.#isPoked = false;
      if (this.#timer) this.#check();
    });
  };

  pause(by: string): void {
    this.#setPace(hold(this.#pace, by, this.#options.now()));
  }

  resume(): void {
    this.#setPace(release());
  }

  /** A session hit the account's usage limit. */
  noteLimit({ until, why }: { until: number | null; why: string }): void {
    this.#setPace(limited(this.#pace, { until, why, now: this.#options.now() }));
  }

  /** A session reported that the model is overloaded. */
  noteBusy(): void {
    const { host, now } = this.#options;
    this.#setPace(busy(this.#pace, { active: host.active().length, now: now() }));
  }

  #setPace(pace: PaceState): void {
    this.#pace = pace;
    this.#options.state.save(pace);
    this.poke();
  }

  #check(): void {
    if (this.#waiting.size === 0) return;
    const { host, onError } = this.#options;
    const plan = this.#plan();
    for (const { id, why: reason } of plan.impossible) {
      this.remove(id);
      host.fail(id, reason).then(this.poke, onError);
    }
    for (const id of plan.start.slice(0, LAUNCHES - this.#launching.size)) this.#launch(id);
    for (const { id, why: reason } of plan.waits) this.#tell(id, reason);
  }

  #plan(): Plan {
    const { host, limits, now } = this.#options;
    const { allowed, why } = this.allowance();
    return planStarts({
      waiting: [...this.#waiting.values()],
      active: this.#active(),
      limits: limits(),
      allowed,
      whyFewer: why,
      outcomeOf: (ref, project) => host.outcomeOf(ref, project),
      now: now(),
    });
  }

  /** Includes sessions being launched, whether or not the host lists them as active yet. */
  #active(): Active[] {
    const known = this.#options.host.active();
    const ids = new Set(known.map(({ id }) => id));
    for (const id of this.#leftToCaller) if (ids.has(id) && this.#leftToCaller.delete(id)) this.#launching.delete(id);
    return [...known, ...[...this.#launching.values()].filter(({ id }) => !ids.has(id))];
  }

  #launch(id: string): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.remove(id);
    this.#launching.set(id, waiting);
    this.#options.host
      .launch(id)
      .catch(this.#options.onError)
      .finally(() => {
        this.#launching.delete(id);
        this.poke();
      });
  }

  #tell(id: string, why: string): void {
    if (this.#told.get(id) === why) return;
    this.#told.set(id, why);
    this.#options.host.explain(id, why).catch(this.#options.onError);
  }
}
