import type { Approval } from '../../contract/approvals.ts';
import type { Approvals } from './approvals.ts';
import type { Ask } from './ask.ts';
import { type Attendance, CONSEQUENCES, isAttended, isWorthHolding, NOBODY_THERE, overdue } from './hold-time.ts';

const LOOK_MS = 500;

export interface HoldingOptions {
  approvals: Approvals;
  attendance: () => Attendance;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Doesn't keep anyone waiting for an absent operator: requests only we can show are held while someone is there, and then returned. */
export class Holding {
  readonly #options: HoldingOptions;
  readonly #timer: NodeJS.Timeout;
  #attendedAt: number;

  constructor(options: HoldingOptions) {
    this.#options = options;
    this.#attendedAt = options.now();
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  /** Why a new request isn't even asked. undefined: it is. */
  declines({ release }: Ask): string | undefined {
    if (!release || isWorthHolding(release.to, this.#options.attendance())) return undefined;
    return `${NOBODY_THERE} ${CONSEQUENCES[release.to]}`;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    for (const approval of [...this.#options.approvals.pending()]) this.#giveBackIfOverdue(approval);
  }

  #giveBackIfOverdue({ id, createdAt, releaseAt, releaseTo: to, held }: Approval): void {
    // A decision that can still be undone counts as one.
    if (to === undefined || releaseAt === undefined || held) return;
    const { approvals, now, onError } = this.#options;
    const attendance = this.#options.attendance();
    if (isAttended(attendance)) this.#attendedAt = now();
    const attendedAt = Math.max(createdAt, this.#attendedAt);
    const why = overdue({ to, releaseAt, now: now(), attendedAt, attendance });
    if (why) approvals.close(id, 'released', { why: `${why} ${CONSEQUENCES[to]}` }).catch(onError);
  }
}
