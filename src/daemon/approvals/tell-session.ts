import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import type { JournalEvent } from '../journal/journal.ts';
import { ELICITATION, hashInput } from '../sessions/actors.ts';
import type { AskNews, RaisedAsk } from '../sessions/ask-events.ts';
import { clip } from '../sessions/clip.ts';
import type { Ask } from './approvals.ts';

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
  const isSettled = name === 'approval.decided' || name === 'approval.released';
  return source !== 'hook' && isSettled ? (payload.approval as Approval) : undefined;
}

/** The others are told by the session's own events. */
const TOLD = new Set<Approval['status']>(['decided', 'released', 'expired']);

function newsOf({
  origin,
  status,
  decision,
  agentId,
  kind,
  toolName,
  toolUseId,
  toolInput,
  releaseTo,
}: Approval): AskNews | undefined {
  if (origin !== 'hook' || !TOLD.has(status)) return undefined;
  const call =
    kind === 'elicitation'
      ? { id: null, name: ELICITATION, inputHash: hashInput(toolInput.server) }
      : { id: toolUseId ?? null, name: toolName, inputHash: hashInput(toolInput) };
  // without a terminal the client denies what is given back
  if (status === 'released' && releaseTo === 'client') return { agentId, calls: [call], decision: 'deny' };
  if (!decision) return { agentId, calls: [call] };
  return { agentId, calls: [call], decision: decision.decision, endsTurn: decision.interrupt === true };
}

/** Before a call is asked that we hold ourselves: a session whose call does not wait has answered it elsewhere. */
export async function raiseCall(
  core: Core,
  { sessionId, agentId, toolUseId, toolName, toolInput }: Ask,
): Promise<void> {
  if (!toolUseId) return;
  const news: RaisedAsk = { agentId, toolUseId, toolName, toolInput: clip(toolInput) };
  await core.record({ sessionId, source: 'control', name: 'ask.raised', payload: { ...news } });
}
