import { setTimeout as sleep } from 'node:timers/promises';

export const MINUTE = 60_000;

/**
 * The fleet's time. It begins some while ago and runs fast until it has caught up with the present, so that a fleet that was
 * started a moment ago has agents that have waited for minutes. The daemon and the agents share it.
 */
export class DemoClock {
  /** When the present is reached. */
  readonly present: number;
  readonly #from: number;
  readonly #startedAt: number;
  readonly #speed: number;
  readonly #signal: AbortSignal;

  constructor({ leadMs, catchUpMs, speed, signal }: ClockOptions) {
    this.#startedAt = Date.now();
    this.present = this.#startedAt + catchUpMs;
    this.#from = this.present - leadMs;
    this.#speed = speed;
    this.#signal = signal;
  }

  readonly now = (): number => {
    const real = Date.now();
    if (real >= this.present) return real;
    const done = (real - this.#startedAt) / (this.present - this.#startedAt);
    return Math.round(this.#from + done * (this.present - this.#from));
  };

  get isLive(): boolean {
    return Date.now() >= this.present;
  }

  /** Rejects when the fleet is told to end. */
  async until(time: number, signal = this.#signal): Promise<void> {
    signal.throwIfAborted();
    while (this.now() < time) await sleepUnless(this.#realUntil(time), signal);
  }

  /** What passes after the present passes at the chosen speed. */
  async pass(from: number, ms: number, signal = this.#signal): Promise<number> {
    const inThePast = Math.max(0, Math.min(ms, this.present - from));
    const end = from + inThePast + (ms - inThePast) / this.#speed;
    await this.until(end, signal);
    return end;
  }

  /** For ever, or until told to end. */
  async stay(signal = this.#signal): Promise<never> {
    for (;;) await sleepUnless(MINUTE, signal);
  }

  #realUntil(time: number): number {
    if (time >= this.present) return Math.max(1, Math.min(time - Date.now(), MINUTE));
    const rate = (this.present - this.#from) / (this.present - this.#startedAt);
    return Math.max(1, (time - this.now()) / rate);
  }
}

interface ClockOptions {
  /** How far back it begins. */
  leadMs: number;
  /** How long it takes to reach the present. */
  catchUpMs: number;
  speed: number;
  signal: AbortSignal;
}

/** Rejects with the reason that the signal was given, which says what has ended. */
async function sleepUnless(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    throw signal.aborted ? signal.reason : error;
  });
}
