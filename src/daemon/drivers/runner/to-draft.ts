import type { RunnerEvent } from '../../../contract/runners.ts';
import type { Draft } from '../../journal/journal.ts';
import { toHookDraft } from '../terminal/intake/hook-draft.ts';

/**
 * A runner's report for the journal. The client it hosts speaks as it does in a terminal, so its words are kept and read as a hook's are.
 * Undefined: it is about the session's lifecycle, and the orchestrator writes what it means.
 */
export function toDraft(
  sessionId: string,
  event: RunnerEvent,
  rowFor?: (sessionId: string, endedCall: string | undefined) => Draft['write'],
): Draft | undefined {
  if (event.kind === 'client') {
    // a runner speaks for its own session, whatever its client calls itself
    return toHookDraft({ ...event.payload, session_id: sessionId }, rowFor);
  }
  if (event.kind !== 'agent') return undefined;
  return { sessionId, source: 'runner', name: event.event.type, payload: { kind: 'agent', event: event.event } };
}
