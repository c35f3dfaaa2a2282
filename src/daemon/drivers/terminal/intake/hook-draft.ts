import type { HookPayload } from '../../../../contract/hooks.ts';
import type { Draft } from '../../../journal/journal.ts';
import { endedCallOf } from '../translate-hook.ts';
import { readHook } from './read-hook.ts';

/** A hook that another process received, for the journal: stored as if we had received it. */
export function toHookDraft(
  heard: HookPayload,
  rowFor?: (sessionId: string, endedCall: string | undefined) => Draft['write'],
): Draft {
  const { payload, bytes } = readHook(Buffer.from(JSON.stringify(heard)));
  const { session_id: sessionId, hook_event_name: name } = payload;
  const write = rowFor?.(sessionId, endedCallOf(payload));
  return { sessionId, source: 'hook', name, payload, bytes, ...(write ? { write } : {}) };
}
