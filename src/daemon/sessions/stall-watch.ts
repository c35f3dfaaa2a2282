import type { Draft } from '../journal/journal.ts';
import type { Session } from './session.ts';
import { whyStalled } from './stall.ts';

const CHECK_EVERY_MS = 10_000;

/** Looks for stalled sessions. After the machine slept, silence counts from when it woke up. */
export class StallWatch {
  #checkedAt: number;
  #awakeSince: number;

  constructor(now: number) {
    this.#checkedAt = now;
    this.#awakeSince = now;
  }

  due(now: number, sessions: Iterable<Session>): Draft[] {
    const passed = now - this.#checkedAt;
    if (passed < CHECK_EVERY_MS && passed >= 0) return [];
    if (passed < 0 || passed > 3 * CHECK_EVERY_MS) this.#awakeSince = now;
    this.#checkedAt = now;
    // as much silence as if it had started when we last woke up
    const drafts: Draft[] = [];
    for (const session of sessions) {
      const slept = Math.max(0, this.#awakeSince - session.lastActivityAt);
      if (whyStalled(session, now - slept) === undefined) continue;
      drafts.push({ sessionId: session.id, source: 'clock', name: 'session.stalled', payload: {} });
    }
    return drafts;
  }
}
