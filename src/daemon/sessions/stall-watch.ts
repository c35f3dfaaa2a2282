import type { Draft } from '../journal/journal.ts';
import type { Session } from './session.ts';
import { whyStalled } from './stall.ts';

const LOOK_EVERY_MS = 10_000;

/** Looks for stalled sessions. After the machine slept, silence counts from when it woke up. */
export class StallWatch {
  #lookedAt: number;
  #awakeSince: number;

  constructor(now: number) {
    this.#lookedAt = now;
    this.#awakeSince = now;
  }

  due(now: number, sessions: Iterable<Session>): Draft[] {
    const passed = now - this.#lookedAt;
    if (passed < LOOK_EVERY_MS && passed >= 0) return [];
    if (passed < 0 || passed > 3 * LOOK_EVERY_MS) this.#awakeSince = now;
    this.#lookedAt = now;
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
