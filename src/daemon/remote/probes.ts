import { createHmac, randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';

const VALID_MS = 60_000;
const MOST_OPEN = 50;
/** How long an answer stays open after its first piece: what holds pieces back is noticed by that. */
export const HOLD_MS = 1_500;

/** Questions that only this daemon can answer, to prove that an address leads here. */
export class Probes {
  readonly #key = randomBytes(32);
  readonly #open = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `proof`: what this daemon answers. */
  issue(): { nonce: string; proof: string } {
    if (this.#open.size >= MOST_OPEN) this.#open.delete([...this.#open.keys()][0] ?? '');
    const nonce = randomBytes(16).toString('base64url');
    this.#open.set(nonce, this.#now() + VALID_MS);
    return { nonce, proof: this.#proof(nonce) };
  }

  /** Answers as a stream, in two pieces. False: nobody asked this, or it was answered before. */
  answer(nonce: string, response: ServerResponse): boolean {
    const expiresAt = this.#open.get(nonce);
    this.#open.delete(nonce);
    if (expiresAt === undefined || expiresAt < this.#now()) return false;
    response.writeHead(200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-content-type-options': 'nosniff',
    });
    response.write(`data: ${this.#proof(nonce)}\n\n`);
    const ending = setTimeout(() => response.end('data: end\n\n'), HOLD_MS);
    response.once('close', () => clearTimeout(ending));
    return true;
  }

  #proof(nonce: string): string {
    return createHmac('sha256', this.#key).update(nonce).digest('base64url');
  }
}
