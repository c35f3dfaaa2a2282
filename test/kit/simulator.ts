import { setTimeout as sleep } from 'node:timers/promises';
import type { HookPayload } from './hook-payload.ts';
import { type Random, seededRandom } from './random.ts';
import { simulateSession } from './simulate-session.ts';

const AT_THE_DESK_MS = 50;

export interface FleetOptions {
  /** Number of live sessions. A new one replaces each that ends. */
  sessions: number;
  /** Hooks per second over the whole fleet. `Infinity` sends as fast as the answers come. */
  rate: number;
  /** Delivers one hook and resolves with its response. A rejection ends the run. */
  post: (payload: HookPayload) => Promise<unknown>;
  seed: number;
  /** Stop after this many hooks. */
  count?: number;
  /** Stop when aborted; hooks in flight are awaited. */
  signal?: AbortSignal;
  /** How long the person at the terminal takes to answer a permission. */
  atTheDeskMs?: number;
}

export interface FleetRun {
  sent: number;
  elapsedMs: number;
}

interface Session {
  hooks: Generator<HookPayload>;
}

/** Plays the hooks of many sessions at once. Like a real client, each waits for a response before its next hook. */
export async function playFleet(options: FleetOptions): Promise<FleetRun> {
  const { sessions, rate, post, seed, count = Number.POSITIVE_INFINITY, signal } = options;
  const { atTheDeskMs = AT_THE_DESK_MS } = options;
  const random = seededRandom(seed);
  const idle = Array.from({ length: sessions }, () => newSession(random));
  const inFlight = new Set<Promise<void>>();
  const failures: unknown[] = [];
  let wake: () => void = () => undefined;
  const started = performance.now();
  let sent = 0;

  const deliver = async (session: Session) => {
    const hook = nextHook(session, random);
    const answered = post(hook);
    try {
      // the person at the terminal doesn't wait for other askers
      await (hook.hook_event_name === 'PermissionRequest'
        ? Promise.race([answered, sleep(atTheDeskMs, undefined, { ref: false })])
        : answered);
      idle.push(session);
      wake();
      await answered;
    } catch (error) {
      failures.push(error);
      wake();
    }
  };

  while (sent < count && !signal?.aborted && failures.length === 0) {
    // paced by the clock, not by the last hook, so that late timers catch up and the rate holds
    const early = started + (sent / rate) * 1000 - performance.now();
    if (early > 0) {
      await sleep(early, undefined, signal ? { signal } : {}).catch(ignoreAbort);
      continue;
    }
    const session = takeAny(idle, random);
    if (session === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
      continue;
    }
    sent += 1;
    const delivery = deliver(session).finally(() => inFlight.delete(delivery));
    inFlight.add(delivery);
  }
  await Promise.all(inFlight);
  if (failures.length > 0) throw failures[0];
  return { sent, elapsedMs: performance.now() - started };
}

function newSession(random: Random): Session {
  const cwd = `/nonexistent/projects/${random.pick(['api', 'web', 'infra', 'docs'])}`;
  return { hooks: simulateSession({ seed: random.integer(0, 2 ** 31), id: random.uuid(), cwd }) };
}

function nextHook(session: Session, random: Random): HookPayload {
  for (;;) {
    const next = session.hooks.next();
    if (!next.done) return next.value;
    session.hooks = newSession(random).hooks;
  }
}

function takeAny(idle: Session[], random: Random): Session | undefined {
  return idle.splice(random.integer(0, idle.length - 1), 1)[0];
}

function ignoreAbort(error: Error): void {
  if (error.name !== 'AbortError') throw error;
}
