import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronUp, Hourglass, X } from 'lucide-react';
import { memo, useCallback, useId, useState } from 'react';
import { columnOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useRole } from '../access/use-role.ts';
import { SessionAnswers } from '../approvals/session-answers.tsx';
import { Swipe } from '../approvals/swipe.tsx';
import { hideLater } from '../board/hide-later.ts';
import { StopIcon } from '../control/stop-button.tsx';
import { StopNote } from '../control/stop-note.tsx';
import { FamilyNote } from '../family/family-note.tsx';
import { useApprovalsOf, useManyMachines, useSession } from '../live/live.ts';
import { useClock } from '../ui/clock.ts';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { useIsPhone } from '../ui/use-is-phone.ts';
import { AgentMessage } from './agent-message.tsx';
import { CardCells } from './card-cells.tsx';
import { cardLines } from './card-lines.ts';
import { CollisionNotes } from './collision-notes.tsx';
import { Elapsed } from './elapsed.tsx';
import { isQuiet } from './quiet.ts';
import { SessionDetails } from './session-details.tsx';
import { StateBadge } from './state-badge.tsx';
import { styleOf, type Tone } from './state-style.ts';
import { SubAgentList } from './subagent-list.tsx';
import { TaskProgress } from './task-progress.tsx';
import { TitleText } from './title-text.tsx';

interface Props {
  id: string;
  open: boolean;
  onToggle: (id: string) => void;
}

export const SessionCard = memo(function SessionCard({ id, open, onToggle }: Props) {
  const session = useSession(id);
  return session ? <CardOf session={session} open={open} onToggle={onToggle} /> : null;
});

function CardOf({ session, open, onToggle }: { session: LiveSession } & Omit<Props, 'id'>) {
  const detailsId = useId();
  const [arrived] = useState(() => hasJustArrived(session));
  const showMachine = useManyMachines();
  const [asked] = useApprovalsOf(session.id);
  const tone = toneOf(session);
  const { subject, activities, ask } = cardLines(session);
  const Chevron = open ? ChevronUp : ChevronDown;
  return (
    <Swipe approval={session.attention === 'settling' ? undefined : asked}>
      <article className="card" data-tone={tone} data-arrived={arrived || undefined} data-session={session.id}>
        <div className="flex flex-col gap-1.5 px-3 pt-1.5 pb-2.5">
          <div className="flex items-center justify-between gap-2 text-sm">
            <StateBadge agentState={session.agentState} tone={tone} subject={subject} />
            <span className="above -mr-1.5 flex shrink-0 items-center text-ink-3 tabular-nums">
              {isAtWork(session) && <StopIcon session={session} />}
              {!asked && !isAtWork(session) && <HideIcon id={session.id} />}
              <span className="px-1">
                <Elapsed since={session.stateSince} />
              </span>
              <button
                type="button"
                className="card-icon"
                data-toggle
                aria-label="Details"
                aria-expanded={open}
                aria-controls={open ? detailsId : undefined}
                onClick={() => onToggle(session.id)}
              >
                <Chevron aria-hidden size={16} />
              </button>
            </span>
          </div>
          <h3>
            <Link
              to="/sessions/$sessionId"
              params={{ sessionId: session.id }}
              preload={false}
              className="card-title"
              dir="auto"
              data-card={session.id}
            >
              <TitleText title={session.title} max={300} />
            </Link>
          </h3>
          {activities.map((line) => (
            <p key={line} dir="auto" className="truncate text-ink-2">
              {line}
            </p>
          ))}
          {ask && !asked && (
            <div
              className={open ? 'card-ask above' : 'card-ask'}
              data-code={ask.code || undefined}
              data-open={open || undefined}
            >
              <p dir="auto">{ask.text}</p>
              {ask.more > 0 && <p className="text-ink-3">and {ask.more} more</p>}
            </div>
          )}
          {(asked || isResting(session)) && <AgentMessage session={session} agentId={asked?.agentId} compact />}
          <SessionAnswers session={session} compact />
          <SubAgentList agents={session.subAgents} open={open} />
          <FamilyNote session={session} />
          <TaskProgress items={session.progressItems} />
          <QuietMark session={session} />
          <CollisionNotes session={session} />
          <StopNote session={session} open={open} />
        </div>
        <CardCells session={session} showMachine={showMachine} />
        {open && <Details id={detailsId} session={session} onClose={() => onToggle(session.id)} />}
      </article>
    </Swipe>
  );
}

function HideIcon({ id }: { id: string }) {
  if (useRole() === 'viewer') return null;
  const label = 'Hide until new activity';
  return (
    <button type="button" className="card-icon" aria-label={label} title={label} onClick={() => hideLater(id)}>
      <X aria-hidden size={15} />
    </button>
  );
}

/** Below the card; on a phone in a sheet, where there is room. */
function Details({ id, session, onClose }: { id: string; session: LiveSession; onClose: () => void }) {
  const phone = useIsPhone();
  if (!phone) {
    return (
      <div id={id}>
        <SessionDetails session={session} />
      </div>
    );
  }
  return (
    <Dialog title={clipLine(session.title, 80) || 'Untitled session'} onClose={onClose}>
      <div id={id} className="flex flex-col gap-4">
        <SessionAnswers session={session} />
        <SubAgentList agents={session.subAgents} open />
        <SessionDetails session={session} />
      </div>
    </Dialog>
  );
}

/** A looping or stalled session needs the operator, and is the one to stop. */
function isAtWork({ agentState: { group, state } }: LiveSession): boolean {
  return group === 'autonomous' || state === 'looping' || state === 'stalled';
}

function isResting({ agentState, attention }: LiveSession): boolean {
  return agentState.group === 'needs_you' && attention === 'settled';
}

/** A state that hasn't settled may be over in a second, so it isn't highlighted. */
function toneOf(session: LiveSession): Tone {
  return session.attention === 'settling' ? 'gray' : styleOf(session.agentState).tone;
}

function QuietMark({ session }: { session: LiveSession }) {
  const working = session.agentState.group === 'autonomous';
  const quiet = useClock(useCallback((now: number) => working && isQuiet(session, now), [working, session]));
  if (!quiet) return null;
  return (
    <p className="flex items-center gap-1.5 text-sm text-ink-3">
      <Hourglass aria-hidden size={13} className="shrink-0" />
      <span>
        Quiet for <Elapsed since={session.lastActivityAt} />
      </span>
    </p>
  );
}

const ARRIVAL_MS = 5_000;

/** A card that just started to need the operator flashes once; a page that just loaded stays calm. */
function hasJustArrived(session: LiveSession): boolean {
  return columnOf(session) === 'needs_you' && Date.now() - session.stateSince < ARRIVAL_MS;
}
