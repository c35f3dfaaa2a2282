import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import type { JournalEvent } from '../journal/journal.ts';
import type { AskNews, RaisedAsk } from '../sessions/ask-events.ts';
import { mainActorOf } from '../sessions/clients.ts';
import { clip } from '../sessions/clip.ts';
import type { Approvals } from './approvals.ts';
import type { Ask } from './ask.ts';
import { askedCalls } from './asked-calls.ts';

/**
 * Tells the session what happened to its requests. An approval has its own life cycle, and no hook reports that our answer was taken or
 * that a dialog is now on its own.
 */
export function tellSessions({
  core,
  approvals,
  onError,
}: {
  core: Core;
  approvals: Approvals;
  onError: (error: unknown) => void;
}): void {
  core.observe((event) => {
    const approval = approvalIn(event);
    const session = approval && core.live.get(approval.sessionId);
    if (!session || session.endedAt !== null || approval.origin !== 'hook') return;
    const outcome = outcomeOf(approval);
    if (!outcome) return;
    const askers = approvals.askersOf(approval.id);
    const actor = mainActorOf(session, askers[0]?.pid);
    const agentId = approval.agentId ?? (actor && actor !== session.main ? actor.id : undefined);
    const { decision, ...rest } = outcome;
    const news = { agentId, calls: askedCalls(approval, askers), ...rest } satisfies AskNews;
    const draft = { sessionId: approval.sessionId, source: 'control' } as const;
    const recorded = decision
      ? core.record({ ...draft, name: 'ask.decided', payload: { ...news, decision } })
      : core.record({ ...draft, name: 'ask.left_to_terminal', payload: news });
    recorded.catch(onError);
  });
}

function approvalIn({ source, name, payload }: JournalEvent): Approval | undefined {
  return source !== 'hook' && name.startsWith('approval.') ? (payload.approval as Approval | undefined) : undefined;
}

/** undefined: nothing yet, or the session's own events will tell. `{}`: the terminal answers. */
function outcomeOf({
  status,
  decision,
  delivery,
  releaseTo,
}: Approval): Pick<AskNews, 'decision' | 'endsTurn'> | undefined {
  // Without a terminal, the client denies what is returned.
  if (status === 'released' && releaseTo === 'client') return { decision: 'deny' };
  if (status === 'released' || status === 'expired' || delivery?.state === 'not_delivered') return {};
  if (!decision || delivery?.state !== 'delivered') return undefined;
  return { decision: decision.decision, endsTurn: decision.interrupt === true };
}

/** Run before asking about a call we hold ourselves: a session whose call isn't waiting was answered elsewhere. */
export async function raiseCall(
  core: Core,
  { sessionId, agentId, toolUseId, toolName, toolInput }: Ask,
): Promise<void> {
  if (!toolUseId) return;
  const news: RaisedAsk = { agentId, toolUseId, toolName, toolInput: clip(toolInput) };
  await core.record({ sessionId, source: 'control', name: 'ask.raised', payload: { ...news } });
}
