import type { LiveSession } from '../../../src/contract/sessions.ts';

/** Tells two waits of the same session apart. */
const waitOf = ({ id, stateSince, agentState }: LiveSession) => `${id} ${agentState.state} ${stateSince}`;

/**
 * Sessions that started to need the operator since the last check. What already waited when the page opened, or came with a snapshot after
 * a pause, is on the page and triggers nothing.
 */
export function createNewWaits() {
  let known: Set<string> | null = null;

  return function check(sessions: Iterable<LiveSession>): LiveSession[] {
    const waiting = [...sessions].filter(
      (session) => session.attention === 'settled' && session.agentState.group === 'needs_you',
    );
    const fresh = known === null ? [] : waiting.filter((session) => !known?.has(waitOf(session)));
    known = new Set(waiting.map(waitOf));
    return fresh;
  };
}
