import { randomBytes } from 'node:crypto';
import type { ProcessKey } from '../peers/origin.ts';

const VALID_MS = 60_000;
const MAX_OPEN = 1000;

interface Challenge extends ProcessKey {
  expiresAt: number;
}

/** Each is valid for one action by the process that requested it, so it's worthless to anyone else and after use. */
export class Challenges {
  readonly #open = new Map<string, Challenge>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  issue({ pid, start }: ProcessKey): { challenge: string; expiresAt: number } {
    if (this.#open.size >= MAX_OPEN) this.#open.delete(this.#open.keys().next().value ?? '');
    const challenge = randomBytes(20).toString('base64url');
    const expiresAt = this.#now() + VALID_MS;
    this.#open.set(challenge, { pid, start, expiresAt });
    return { challenge, expiresAt };
  }

  /** Used up, no matter who shows it. */
  use(challenge: string, { pid, start }: ProcessKey): boolean {
    const known = this.#open.get(challenge);
    this.#open.delete(challenge);
    return known !== undefined && known.pid === pid && known.start === start && known.expiresAt >= this.#now();
  }
}
