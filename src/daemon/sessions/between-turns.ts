import type { JournalEvent } from '../journal/journal.ts';
import type { Session } from './session.ts';

/**
 * Whether the main agent has ended its turn and none has begun: the moment at which a prompt starts a new one. The shown state does
 * not tell: a failed tool looks like a failed turn, and one that has left work in the background still seems busy.
 */
export function isBetweenTurns(session: Session, event: JournalEvent): boolean {
  const { source, name, payload } = event;
  if (source === 'watch') return asTheClientSays(session, event);
  // from here until its first hook the session is on its way into a turn
  if (name === 'prompt.delivered') return false;
  // a turn that we end fires no Stop
  if (name === 'prompt.returned' || name === 'session.stopped') return true;
  if (source !== 'hook' || payload.agent_id) return session.betweenTurns;
  switch (name) {
    case 'Stop':
    case 'StopFailure':
      return true;
    case 'SessionStart':
      return payload.source === 'compact' ? session.betweenTurns : true;
    case 'PostCompact':
      return payload.trigger === 'auto' ? session.betweenTurns : true;
    case 'Notification':
      return payload.notification_type === 'idle_prompt' || session.betweenTurns;
    case 'UserPromptSubmit':
    case 'PreToolUse':
    case 'PermissionRequest':
    case 'PostToolUse':
    case 'PostToolUseFailure':
    case 'PostToolBatch':
    case 'Elicitation':
    case 'PreCompact':
    case 'SessionEnd':
      return false;
    default:
      return session.betweenTurns;
  }
}

function asTheClientSays({ betweenTurns, lastHookAt }: Session, { name, payload }: JournalEvent): boolean {
  if (name === 'status.corrected') return payload.status === 'idle';
  if (name === 'process.seen' && lastHookAt === null) return payload.status === 'idle';
  return betweenTurns;
}
