import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { ELICITATION, hashInput } from '../sessions/actors.ts';
import type { AskNews } from '../sessions/ask-events.ts';

/**
 * Has the session know what became of its questions: an approval has a life of its own, and no hook of the client says that our
 * answer was taken or that its dialog is now on its own.
 */
export function tellSessions({ core, onError }: { core: Core; onError: (error: unknown) => void }): void {
  core.observe((event) => {
    const approval = settledHere(event);
    const session = approval && core.live.get(approval.sessionId);
    if (!session || session.endedAt !== null) return;
    const news = newsOf(approval);
    if (!news) return;
    const name = news.decision ? 'ask.decided' : 'ask.left_to_terminal';
    core.record({ sessionId: approval.sessionId, source: 'control', name, payload: { ...news } }).catch(onError);
  });
}

function settledHere({ source, name, payload }: JournalEvent): Approval | undefined {
  return source !== 'hook' && name === 'approval.decided' ? (payload.approval as Approval) : undefined;
}

function newsOf({
  origin,
  status,
  decision,
  agentId,
  kind,
  toolName,
  toolUseId,
  toolInput,
}: Approval): AskNews | undefined {
  if (origin !== 'hook' || (status !== 'decided' && status !== 'expired')) return undefined;
  const call =
    kind === 'elicitation'
      ? { id: null, name: ELICITATION, inputHash: hashInput(toolInput.server) }
      : { id: toolUseId ?? null, name: toolName, inputHash: hashInput(toolInput) };
  if (!decision) return { agentId, calls: [call] };
  return { agentId, calls: [call], decision: decision.decision, endsTurn: decision.interrupt === true };
}
