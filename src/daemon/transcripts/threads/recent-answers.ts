/** How old an answer may be at least. A page that asks for the same data in five ways gets it from one reading. */
const FRESH_MS = 3_000;
/** One that took long stays longer, so that reading it again never takes more than this part of the time from others. */
const SHARE = 1 / 20;
const MAX_KEPT = 8;

/** Recent reads, for callers that need the same data again. */
export class RecentAnswers {
  readonly #kept = new Map<string, { value: unknown; until: number }>();

  clear(): void {
    this.#kept.clear();
  }

  get<T>(key: string, read: () => T): T {
    const known = this.#kept.get(key);
    const begun = performance.now();
    if (known && begun < known.until) return known.value as T;
    const value = read();
    const now = performance.now();
    this.#kept.delete(key);
    this.#kept.set(key, { value, until: now + Math.max(FRESH_MS, (now - begun) / SHARE) });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}
