import type { IndexStatus } from '../../../contract/history.ts';
import type { LiveModel } from '../../sessions/live-model.ts';
import type { Hub } from '../../stream/hub.ts';
import { summaryOf } from '../../stream/summary.ts';

const EVERY_MS = 3_000;
/** What was written is in the index some time later. */
const SETTLES_MS = 15_000;
/** A day ends without anyone writing anything. */
const ANYWAY_MS = 60_000;

export interface Spent {
  costUsd: number | null;
  tokens: number | null;
}

export interface TodayOptions {
  ask: () => Promise<Spent>;
  /** Someone who watches will soon want to read. */
  warmUp: () => void;
  phase: () => IndexStatus['phase'];
  hub: Hub;
  live: LiveModel;
  onError: (error: unknown) => void;
}

/** What all sessions used since midnight, kept current while someone watches. */
export class Today {
  readonly #options: TodayOptions;
  #spent: Spent = { costUsd: null, tokens: null };
  #timer: NodeJS.Timeout | undefined;
  #touchedAt = Number.NEGATIVE_INFINITY;
  #askedAt = Number.NEGATIVE_INFINITY;
  #isAsking = false;

  constructor(options: TodayOptions) {
    this.#options = options;
  }

  get spent(): Spent {
    return this.#spent;
  }

  start(): void {
    this.#timer = setInterval(() => this.#check(), EVERY_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** A transcript was written to. */
  touch(): void {
    this.#touchedAt = performance.now();
  }

  /** Someone started watching. */
  greet(): void {
    this.#options.warmUp();
    if (performance.now() - this.#askedAt >= EVERY_MS) this.#ask();
  }

  #check(): void {
    if (this.#options.hub.clientCount === 0) return;
    const now = performance.now();
    const isSettling = this.#options.phase() !== 'idle' || now - this.#touchedAt < SETTLES_MS;
    if (isSettling || now - this.#askedAt >= ANYWAY_MS) this.#ask();
  }

  #ask(): void {
    const { ask, phase, onError } = this.#options;
    // a sum with half of it missing would be taken for the total
    if (this.#isAsking || phase() === 'finding' || phase() === 'totals') return;
    this.#isAsking = true;
    this.#askedAt = performance.now();
    ask()
      .then((spent) => this.#note(spent), onError)
      .finally(() => {
        this.#isAsking = false;
      });
  }

  #note(spent: Spent): void {
    const isNew = spent.costUsd !== this.#spent.costUsd || spent.tokens !== this.#spent.tokens;
    this.#spent = spent;
    const { hub, live } = this.#options;
    if (isNew) hub.announce('summary', { ...summaryOf(live.views(), spent), reset: false });
  }
}
