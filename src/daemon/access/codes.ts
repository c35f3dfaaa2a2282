import { randomBytes } from 'node:crypto';
import type { Role } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';

const VALID_MS = 15 * 60_000;
const MAX_OPEN = 100;

export interface Invitation {
  role: Role;
  name: string | undefined;
  expiresAt: number;
}

/** One-time codes: a link that was used or has expired signs nobody in. */
export class Codes {
  readonly #open = new Map<string, Invitation>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  create({ role, name }: { role: Role; name?: string | undefined }): Invitation & { code: string } {
    for (const code of [...this.#open.keys()].slice(0, Math.max(0, this.#open.size - MAX_OPEN + 1)))
      this.#open.delete(code);
    // 20 random bytes can't be guessed, so failed attempts needn't be counted.
    const code = randomBytes(20).toString('base64url');
    const invitation = { role, name, expiresAt: this.#now() + VALID_MS };
    this.#open.set(code, invitation);
    return { code, ...invitation };
  }

  /** Invalidates it. */
  spoil(code: string): void {
    this.#open.delete(code);
  }

  redeem(code: string): Invitation {
    const invitation = this.#open.get(code);
    this.#open.delete(code);
    if (!invitation || invitation.expiresAt < this.#now()) {
      throw new DomainError(
        'access.bad_code',
        403,
        'This link was already used or has expired. Run `gctl link` for a new one.',
      );
    }
    return invitation;
  }
}
