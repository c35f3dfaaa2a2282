import { isRecord } from '../../contract/values.ts';

const REPEATS = 3;

/** Notices a model that makes the same call again and again. Only calls in a row count: polling between other work is fine. */
export class LoopGuard {
  #last = '';
  #times = 0;

  /** Why the operator should look, or undefined. */
  check({ name, input }: { name: string; input: unknown }): string | undefined {
    const call = `${name} ${canonical(input)}`;
    this.#times = call === this.#last ? this.#times + 1 : 1;
    this.#last = call;
    if (this.#times < REPEATS) return undefined;
    return `The agent made this same call ${this.#times} times in a row.`;
  }

  /** The operator has seen it. */
  reset(): void {
    this.#times = 0;
  }
}

/** The same for objects whose keys come in another order. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isRecord(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
