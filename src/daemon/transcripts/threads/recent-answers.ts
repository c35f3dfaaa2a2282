/** How old an answer may be. A page that asks for the same data in five ways gets it from one reading. */
const FRESH_MS = 3_000;
const MAX_KEPT = 8;

/** Recent reads, for callers that need the same data again. */
export class RecentAnswers {
  readonly #kept = new Map<string, { value: unknown; at: number }>();

  clear(): void {
    this.#kept.clear();
  }

  get<T>(key: string, read: () => T): T {
    const known = this.#kept.get(key);
    if (known && performance.now() - known.at < FRESH_MS) return known.value as T;
    const value = read();
    this.#kept.delete(key);
    this.#kept.set(key, { value, at: performance.now() });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MAX_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return value;
  }
}
