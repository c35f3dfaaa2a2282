const WITHIN_MS = 60_000;
const AT_MOST = 3;

/** So many times we put back what another program takes out; then it is a person's to settle, or the two would fight for ever. */
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

  /** False: not again. */
  allow(): boolean {
    if (this.#isReached) return false;
    const now = this.#now();
    this.#times = this.#times.filter((at) => now - at < WITHIN_MS);
    this.#isReached = this.#times.length >= AT_MOST;
    if (!this.#isReached) this.#times.push(now);
    return !this.#isReached;
  }

  /** A person has settled it. */
  reset(): void {
    this.#times = [];
    this.#isReached = false;
  }
}
