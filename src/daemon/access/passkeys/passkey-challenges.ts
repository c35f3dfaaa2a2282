import { createHash, randomBytes } from 'node:crypto';

const VALID_MS = 2 * 60_000;
const MOST_OPEN = 500;
/** One device can't push out the others' challenges. */
const MOST_PER_DEVICE = 20;

/** What a challenge is for: adding a passkey, or one request with exactly this content. */
export interface Purpose {
  deviceId: string;
  rpId: string;
  /** `POST /api/approvals/7/decision` */
  request: string;
  /** Its content, validated. */
  body: unknown;
}

interface Open {
  deviceId: string;
  nonce: string;
  expiresAt: number;
}

/**
 * Challenges that authenticators sign. Each is a hash of what it is for, so the signature itself proves what was confirmed, and it counts
 * once, for the same device, within two minutes.
 */
export class PasskeyChallenges {
  readonly #now: () => number;
  readonly #open = new Map<string, Open>();

  constructor(now: () => number) {
    this.#now = now;
  }

  issue(purpose: Purpose): string {
    this.#prune(purpose.deviceId);
    const nonce = randomBytes(32).toString('base64url');
    const challenge = challengeFor(purpose, nonce);
    this.#open.set(challenge, { deviceId: purpose.deviceId, nonce, expiresAt: this.#now() + VALID_MS });
    return challenge;
  }

  /** Whether the challenge is open and for exactly this. Used up either way. */
  use(challenge: string, purpose: Purpose): boolean {
    const open = this.#open.get(challenge);
    this.#open.delete(challenge);
    return open !== undefined && open.expiresAt >= this.#now() && challengeFor(purpose, open.nonce) === challenge;
  }

  #prune(deviceId: string): void {
    for (const [challenge, { expiresAt }] of this.#open) if (expiresAt < this.#now()) this.#open.delete(challenge);
    const own = [...this.#open].filter(([, open]) => open.deviceId === deviceId);
    const oldest =
      own.length >= MOST_PER_DEVICE ? own[0] : this.#open.size >= MOST_OPEN ? [...this.#open][0] : undefined;
    if (oldest) this.#open.delete(oldest[0]);
  }
}

function challengeFor({ deviceId, rpId, request, body }: Purpose, nonce: string): string {
  const payload = createHash('sha256')
    .update(JSON.stringify(body ?? null))
    .digest('base64url');
  return createHash('sha256').update([nonce, deviceId, rpId, request, payload].join('\n')).digest('base64url');
}
