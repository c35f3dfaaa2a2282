import { randomBytes, randomInt } from 'node:crypto';
import type { Role } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';

const VALID_MS = 15 * 60_000;
/** For a link that may be scanned or typed on another device. */
const REMOTE_VALID_MS = 5 * 60_000;
const MAX_OPEN = 100;
/** Consonants only: nothing that reads like another letter, and no words. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const SHORT_LENGTH = 8;
/** After this many wrong codes, all short codes are revoked. */
const MOST_WRONG = 5;

export interface Invitation {
  role: Role;
  projects: readonly string[];
  name: string | undefined;
  expiresAt: number;
}

interface Open extends Invitation {
  short: string | undefined;
}

interface Wanted {
  role: Role;
  projects?: readonly string[];
  name?: string | undefined;
  short?: boolean;
}

/** One-time codes: a used or expired link signs nobody in. */
export class Codes {
  readonly #open = new Map<string, Open>();
  readonly #now: () => number;
  #wrong = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** `short`: also a code that can be typed. */
  create({ role, projects = [], name, short: wantsShort = false }: Wanted) {
    for (const code of [...this.#open.keys()].slice(0, Math.max(0, this.#open.size - MAX_OPEN + 1)))
      this.#open.delete(code);
    // 20 random bytes can't be guessed
    const code = randomBytes(20).toString('base64url');
    const short = wantsShort ? shortCode() : undefined;
    const invitation = { role, projects, name, expiresAt: this.#now() + (wantsShort ? REMOTE_VALID_MS : VALID_MS) };
    this.#open.set(code, { ...invitation, short });
    return { code, short, ...invitation };
  }

  /** Makes the code useless. */
  spoil(code: string): void {
    this.#open.delete(this.#whole(code) ?? code);
  }

  redeem(code: string): Invitation {
    const whole = this.#whole(code);
    const invitation = whole === undefined ? undefined : this.#open.get(whole);
    if (whole !== undefined) this.#open.delete(whole);
    if (!invitation || invitation.expiresAt < this.#now()) {
      this.#noteWrong();
      throw new DomainError(
        'access.bad_code',
        403,
        'This link was already used or has expired. Run `gctl link` for a new one.',
      );
    }
    this.#wrong = 0;
    return invitation;
  }

  /** The code of the link, whichever of the two was given. */
  #whole(given: string): string | undefined {
    if (this.#open.has(given)) return given;
    const typed = given.toUpperCase().replace(/[\s-]/g, '');
    return [...this.#open].find(([, { short }]) => short !== undefined && short === typed)?.[0];
  }

  /** Eight letters could be guessed with enough tries, so limit the tries. Full links stay valid. */
  #noteWrong(): void {
    this.#wrong += 1;
    if (this.#wrong < MOST_WRONG) return;
    this.#wrong = 0;
    for (const invitation of this.#open.values()) invitation.short = undefined;
  }
}

function shortCode(): string {
  return Array.from({ length: SHORT_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');
}
