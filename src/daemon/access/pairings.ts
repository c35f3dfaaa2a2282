import { randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto';
import type { Pairing, PairingOutcome, Role } from '../../contract/access.ts';
import { DomainError } from '../errors.ts';

const VALID_MS = 5 * 60_000;
const MOST_OPEN = 20;

export interface PairingAsk {
  name: string;
  role: Role;
  projects: readonly string[];
  /** The public key of a browser; undefined: a script, which gets a token. */
  key: string | undefined;
}

interface Entry extends PairingAsk {
  id: string;
  secret: string;
  match: string;
  expiresAt: number;
  outcome: PairingOutcome;
}

/**
 * Devices that opened a link from another machine and wait for someone at this one to confirm them. Both screens show the same two numbers.
 * Someone who got the link another way, from a photo of the code or a forwarded message, sees different ones.
 */
export class Pairings {
  readonly #now: () => number;
  readonly #open = new Map<string, Entry>();

  constructor(now: () => number) {
    this.#now = now;
  }

  ask(ask: PairingAsk): { id: string; secret: string; match: string; expiresAt: number } {
    this.#prune();
    if (this.#open.size >= MOST_OPEN)
      throw new DomainError(
        'access.too_many_pairings',
        429,
        'Too many devices are waiting to be confirmed. Try again in 5 minutes.',
      );
    const entry: Entry = {
      ...ask,
      id: randomUUID(),
      secret: randomBytes(16).toString('base64url'),
      match: `${twoDigits()}-${twoDigits()}`,
      expiresAt: this.#now() + VALID_MS,
      outcome: { state: 'waiting' },
    };
    this.#open.set(entry.id, entry);
    const { id, secret, match, expiresAt } = entry;
    return { id, secret, match, expiresAt };
  }

  /** Those that are still waiting. */
  list(): Pairing[] {
    this.#prune();
    const waiting = [...this.#open.values()].filter(({ outcome }) => outcome.state === 'waiting');
    return waiting.map(({ id, name, role, projects, match, expiresAt }) => ({
      id,
      name,
      role,
      projects: [...projects],
      match,
      expiresAt,
    }));
  }

  /** `admit` creates the device, and is called once. */
  confirm(id: string, admit: (ask: PairingAsk) => Extract<PairingOutcome, { state: 'confirmed' }>): PairingAsk {
    const entry = this.#waiting(id);
    entry.outcome = admit(entry);
    return entry;
  }

  refuse(id: string): PairingAsk {
    const entry = this.#waiting(id);
    entry.outcome = { state: 'refused' };
    return entry;
  }

  /** For the device itself. A token is returned only once. */
  outcome(id: string, secret: string): PairingOutcome {
    this.#prune();
    const entry = this.#open.get(id);
    const [known, given] = [Buffer.from(entry?.secret ?? ''), Buffer.from(secret)];
    if (!entry || known.length !== given.length || !timingSafeEqual(known, given))
      throw new DomainError('access.no_pairing', 404, 'This pairing has expired. Run gctl pair again.');
    if (entry.outcome.state !== 'waiting') this.#open.delete(id);
    return entry.outcome;
  }

  #waiting(id: string): Entry {
    this.#prune();
    const entry = this.#open.get(id);
    if (entry?.outcome.state === 'waiting') return entry;
    throw new DomainError('access.no_pairing', 404, `No device ${id} is waiting to be confirmed. It may have expired.`);
  }

  #prune(): void {
    for (const [id, { expiresAt }] of this.#open) if (expiresAt < this.#now()) this.#open.delete(id);
  }
}

const twoDigits = () => String(randomInt(100)).padStart(2, '0');
