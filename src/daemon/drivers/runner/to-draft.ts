import type { RunnerEvent } from '../../../contract/runners.ts';
import type { Draft } from '../../journal/journal.ts';
import { toHookDraft } from '../terminal/intake/hook-draft.ts';

/**
 * Converts a runner's report for the journal. A hosted client sends the same payloads as one in a terminal, so they are kept and read like
 * a hook's. Undefined: a lifecycle report, for which the orchestrator writes its own events.
 */
export function toDraft(
  sessionId: string,
  event: RunnerEvent,
  rowFor?: (sessionId: string, endedCall: string | undefined) => Draft['write'],
): Draft | undefined {
  if (event.kind === 'client') {
    // a runner speaks for its own session, whatever id its client reports
    return toHookDraft({ ...event.payload, session_id: sessionId }, rowFor);
  }
  if (event.kind !== 'agent') return undefined;
  return { sessionId, source: 'runner', name: event.event.type, payload: { kind: 'agent', event: event.event } };
}
