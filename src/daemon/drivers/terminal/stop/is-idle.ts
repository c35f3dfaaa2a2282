import type { PidFile } from '../../../processes/pid-files.ts';
import type { Actor, Session } from '../../../sessions/session.ts';
import { IDLE_HOLDS_MS } from '../processes/contradiction.ts';

/** States of an actor whose turn has ended. An error may be a tool's, after which the turn continues. */
const IDLE_STATES = new Set(['idle', 'interrupted', 'task_complete', 'session_ended', 'stopped']);

/** An idle status must be newer than this: the file lags behind the hook that starts a turn. */
export function workingSince(session: Session | undefined): number {
  return session?.main.state.group === 'autonomous' ? session.main.since : 0;
}

/** According to the client: idle, and for longer than the gap between two subagents. */
export function isIdle(file: PidFile, { since, now }: { since: number; now: number }): boolean {
  const { status, statusUpdatedAt = 0 } = file;
  return status === 'idle' && statusUpdatedAt > since && now - statusUpdatedAt >= IDLE_HOLDS_MS;
}

/** According to hooks alone: each actor ended on its own or because of our answer. */
export function isIdleByHooks({ main, subagents }: Session, refused: ReadonlySet<string>): boolean {
  const isIdleState = ({ id, state }: Actor) => refused.has(id) || IDLE_STATES.has(state.state);
  return isIdleState(main) && subagents.every((actor) => actor.endedAt !== null || isIdleState(actor));
}
