const WITHIN_MS = 60_000;
const AT_MOST = 3;

/** How many times we restore what another program removes. After that a person has to resolve it, or the two would fight forever. */
export class RestoreLimit {
  readonly #now: () => number;
  #times: number[] = [];
  #isReached = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  get isReached(): boolean {
    return this.#isReached;
  }

  /** False: don't restore it again. */
  allow(): boolean {
    if (this.#isReached) return false;
    const now = this.#now();
    this.#times = this.#times.filter((at) => now - at < WITHIN_MS);
    this.#isReached = this.#times.length >= AT_MOST;
    if (!this.#isReached) this.#times.push(now);
    return !this.#isReached;
  }

  /** A person resolved it. */
  reset(): void {
    this.#times = [];
    this.#isReached = false;
  }
}
