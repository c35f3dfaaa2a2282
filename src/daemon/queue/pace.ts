import { z } from 'zod';
import type { QueuePause } from '../../contract/queue.ts';

/** If ten sessions start when a usage limit resets, half are refused again. So start one, then two, then four… */
const RAMP_STEP_MS = 20_000;
/** Used if the reset time is unknown. */
const UNKNOWN_RESET_MS = 5 * 60_000;
/** No limit resets later than this, so a later time must be wrong. */
const MAX_PAUSE_MS = 8 * 86_400_000;
const BUSY_STEP_MS = 30_000;

/** Stored on disk, so that a restart doesn't hit the same limit again. */
export const PaceState = z.object({
  operator: z.object({ by: z.string(), since: z.number() }).nullable().default(null),
  limit: z.object({ why: z.string(), since: z.number(), until: z.number() }).nullable().default(null),
  busy: z.object({ at: z.number(), ceiling: z.number() }).nullable().default(null),
});
export type PaceState = z.infer<typeof PaceState>;

export const STEADY: PaceState = { operator: null, limit: null, busy: null };

export const hold = (state: PaceState, by: string, now: number): PaceState => ({
  ...state,
  operator: { by, since: now },
});

/** The operator resumes, even before a limit resets. */
export const release = (): PaceState => STEADY;

/** The account hit its usage limit. The limit applies to the whole account, so nothing else may start either. */
export function limited(
  state: PaceState,
  { until, why, now }: { until: number | null; why: string; now: number },
): PaceState {
  const known = Math.min(Math.max(until ?? now + UNKNOWN_RESET_MS, now), now + MAX_PAUSE_MS);
  const { limit } = state;
  const isOver = limit === null || limit.until <= now;
  return {
    ...state,
    limit: { why, since: isOver ? now : limit.since, until: Math.max(known, isOver ? 0 : limit.until) },
  };
}

/** The model is overloaded: halve the concurrency, then add one every 30 seconds. */
export function busy(state: PaceState, { active, now }: { active: number; now: number }): PaceState {
  return { ...state, busy: { at: now, ceiling: Math.max(1, Math.floor(active / 2)) } };
}

export interface Allowance {
  allowed: number;
  why: string | null;
  pause: QueuePause | null;
}

/** How many sessions may run now. */
export function allowance({ operator, limit, busy: overload }: PaceState, max: number, now: number): Allowance {
  if (operator) {
    const why = `Paused by ${operator.by}`;
    return { allowed: 0, why, pause: { kind: 'operator', why, since: operator.since, until: null } };
  }
  if (limit && now < limit.until)
    return {
      allowed: 0,
      why: limit.why,
      pause: { kind: 'limit', why: limit.why, since: limit.since, until: limit.until },
    };
  const ramp = limit ? 2 ** Math.min(20, Math.floor((now - limit.until) / RAMP_STEP_MS)) : max;
  const recovered = overload ? overload.ceiling + Math.floor((now - overload.at) / BUSY_STEP_MS) : max;
  const allowed = Math.min(max, ramp, recovered);
  if (allowed >= max) return { allowed: max, why: null, pause: null };
  const why =
    ramp <= recovered ? 'Ramping up again after a usage limit' : 'The model is overloaded, so fewer run at once';
  return { allowed, why, pause: null };
}

const RETRY_FIRST_MS = 10_000;
const RETRY_MAX_MS = 10 * 60_000;

/** The delay before the next retry. It always grows, with jitter so that sessions don't all retry at once. */
export function retryDelay(attempt: number, random: () => number): number {
  const plain = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(attempt, 20));
  return Math.round(plain * (1 + random() / 2));
}

/** When one of many sessions waiting for the same reset continues. They are staggered. */
export const staggered = (until: number, place: number, random: () => number): number =>
  until + Math.round(place * RAMP_STEP_MS * (0.5 + random() / 2));
