import { isRecord } from '../../contract/values.ts';

const REPEATS = 3;

/** Detects a model that repeats the same call. Only consecutive calls count, so polling between other work is fine. */
export class LoopGuard {
  #last = '';
  #times = 0;

  /** The reason to ask the operator, or undefined. */
  check({ name, input }: { name: string; input: unknown }): string | undefined {
    const call = `${name} ${canonical(input)}`;
    this.#times = call === this.#last ? this.#times + 1 : 1;
    this.#last = call;
    if (this.#times < REPEATS) return undefined;
    return `The agent made this same call ${this.#times} times in a row.`;
  }

  /** Resets the count once the operator has seen it. */
  reset(): void {
    this.#times = 0;
  }
}

/** Ignores key order in objects. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
