import { Link } from '@tanstack/react-router';
import { ApprovalPanel } from '../approvals/approval-panel.tsx';
import { SessionAnswers } from '../approvals/session-answers.tsx';
import { useApproval, useSession } from '../live/live.ts';
import { AgentMessage } from '../sessions/agent-message.tsx';
import { CardCells } from '../sessions/card-cells.tsx';
import { cardLines } from '../sessions/card-lines.ts';
import { CollisionNotes } from '../sessions/collision-notes.tsx';
import { StateBadge } from '../sessions/state-badge.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clip, clipLine } from '../ui/format.ts';
import type { InboxItem } from './inbox-items.ts';

/** The full request and its answer form. */
export function InboxDetails({ item }: { item: InboxItem }) {
  const session = useSession(item.sessionId);
  const approval =
    useApproval(item.kind === 'approval' ? item.key : '') ?? (item.kind === 'approval' ? item.approval : null);
  const lines = session && cardLines(session);
  return (
    <div className="flex flex-col gap-4">
      {session && (
        <div className="panel inbox-subject overflow-hidden" data-tone={styleOf(session.agentState).tone}>
          <div className="flex flex-col gap-1.5 px-4 py-3">
            <StateBadge
              agentState={session.agentState}
              tone={styleOf(session.agentState).tone}
              subject={lines?.subject ?? ''}
            />
            <h2 className="text-xl font-semibold">
              <Link to="/sessions/$sessionId" params={{ sessionId: session.id }} className="hover:underline" dir="auto">
                <TitleText title={session.title} max={300} />
              </Link>
            </h2>
            {session.lastUserMessage && clipLine(session.lastUserMessage, 300) !== clipLine(session.title, 300) && (
              <p dir="auto" className="line-clamp-3 text-ink-2">
                {clip(session.lastUserMessage, { max: 600 })}
              </p>
            )}
          </div>
          <CardCells session={session} showMachine={false} />
        </div>
      )}
      {session && <CollisionNotes session={session} />}
      {session && <AgentMessage session={session} agentId={approval?.agentId} />}
      {approval && <ApprovalPanel key={approval.id} approval={approval} />}
      {!approval && session && (
        <>
          {lines?.ask && (
            <p dir="auto" className="call-text" data-prose>
              {lines.ask.text}
            </p>
          )}
          <SessionAnswers session={session} />
        </>
      )}
    </div>
  );
}
