import type { Approval } from './approvals.ts';
import { columnOf } from './groups.ts';
import type { LiveSession } from './sessions.ts';

/** What waits for the operator. The same two numbers everywhere: title, navigation, headings, `gctl status`. */
export interface Attention {
  /** Requests to answer: undecided approvals, and dialogs only a terminal can answer. */
  requests: number;
  /** Sessions that neither ask nor work: finished with their turn, interrupted, or stopped by an error. */
  idle: number;
}

const ASKING = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval', 'looping', 'stalled']);

export function countAttention(
  sessions: Iterable<Pick<LiveSession, 'id' | 'agentState' | 'attention'>>,
  pending: Iterable<Pick<Approval, 'sessionId' | 'held'>>,
): Attention {
  const asking = new Set<string>();
  let requests = 0;
  for (const { sessionId, held } of pending) {
    asking.add(sessionId);
    if (!held) requests += 1;
  }
  let idle = 0;
  for (const session of sessions) {
    if (columnOf(session) !== 'needs_you' || asking.has(session.id)) continue;
    if (ASKING.has(session.agentState.state)) requests += 1;
    else idle += 1;
  }
  return { requests, idle };
}

/** `4 requests, 3 idle` */
export function sayAttention({ requests, idle }: Attention): string {
  return `${requests} ${requests === 1 ? 'request' : 'requests'}, ${idle} idle`;
}
