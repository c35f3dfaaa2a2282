import { setTimeout as sleep } from 'node:timers/promises';

export const MINUTE = 60_000;

interface Waiter {
  actor: object;
  time: number;
  wake: () => void;
}

/**
 * The fleet's clock. It starts some time ago and jumps from one event to the next until it has caught up with the present, so a fleet that
 * just started has agents that have waited for minutes, and the same ones on a slow machine. It advances only when everyone on the way to
 * the present waits for it. The daemon and the agents share it.
 */
export class DemoClock {
  /** Everything before the user's arrival happens before this. */
  readonly present = Date.now();
  /** Resolves when the present is reached. */
  readonly live: Promise<void>;
  readonly #speed: number;
  readonly #signal: AbortSignal;
  readonly #busy = new Set<object>();
  readonly #waiters = new Set<Waiter>();
  #past: number;
  #isLive = false;
  #onLive: () => void = () => undefined;

  constructor({ leadMs, speed, signal }: ClockOptions) {
    this.#past = this.present - leadMs;
    this.#speed = speed;
    this.#signal = signal;
    this.live = new Promise((resolve) => {
      this.#onLive = resolve;
    });
  }

  readonly now = (): number => (this.#isLive ? Date.now() : this.#past);

  get isLive(): boolean {
    return this.#isLive;
  }

  /** From now on the clock waits for this one, until it has arrived. */
  begin(actor: object): void {
    this.#busy.add(actor);
  }

  /** It has reached the situation the user finds it in. */
  arrive(actor: object): void {
    this.#busy.delete(actor);
    this.#advance();
  }

  /** Rejects when told to end. */
  async until(
    time: number,
    { actor, signal = this.#signal }: { actor?: object; signal?: AbortSignal } = {},
  ): Promise<void> {
    signal.throwIfAborted();
    if (!this.#isLive && time > this.#past) await this.#untilPast(time, actor ?? {}, signal);
    if (!this.#isLive) return;
    for (let left = time - Date.now(); left > 0; left = time - Date.now())
      await sleepUnless(Math.min(left, MINUTE), signal);
  }

  /** When this much has passed since then. Only time after the present runs at the chosen speed. */
  after(from: number, ms: number): number {
    const inThePast = Math.max(0, Math.min(ms, this.present - from));
    return from + inThePast + (ms - inThePast) / this.#speed;
  }

  /** Forever, or until told to end. */
  async stay(signal = this.#signal): Promise<never> {
    for (;;) await sleepUnless(MINUTE, signal);
  }

  /** Resolves when it is time, or when the present is reached. */
  async #untilPast(time: number, actor: object, signal: AbortSignal): Promise<void> {
    // those that have arrived wait for the present and hold nobody up
    const isOnTheWay = this.#busy.has(actor);
    await new Promise<void>((resolve, reject) => {
      const end = () => {
        if (this.#waiters.delete(waiter) && isOnTheWay) this.#busy.add(actor);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        actor,
        time: isOnTheWay ? time : Number.POSITIVE_INFINITY,
        wake: () => {
          signal.removeEventListener('abort', end);
          resolve();
        },
      };
      signal.addEventListener('abort', end, { once: true });
      this.#waiters.add(waiter);
      this.#busy.delete(actor);
      this.#advance();
    });
  }

  #advance(): void {
    if (this.#isLive || this.#busy.size > 0) return;
    const [next] = [...this.#waiters].sort((a, b) => a.time - b.time);
    if (next && next.time < this.present) {
      this.#release(next);
      return;
    }
    this.#isLive = true;
    for (const waiter of this.#waiters) waiter.wake();
    this.#waiters.clear();
    this.#onLive();
  }

  #release(waiter: Waiter): void {
    this.#past = Math.max(this.#past, waiter.time);
    this.#waiters.delete(waiter);
    this.#busy.add(waiter.actor);
    waiter.wake();
  }
}

interface ClockOptions {
  /** How far back it starts. */
  leadMs: number;
  speed: number;
  signal: AbortSignal;
}

/** Rejects with the signal's reason, which says what ended. */
async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}
