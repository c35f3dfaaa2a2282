import { Hourglass } from 'lucide-react';
import { memo, useCallback, useId, useState } from 'react';
import { columnOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useSession } from '../live/live.ts';
import { useClock } from '../ui/clock.ts';
import { clipLine } from '../ui/format.ts';
import { CardCells } from './card-cells.tsx';
import { cardLines } from './card-lines.ts';
import { Elapsed } from './elapsed.tsx';
import { lookOf, type Tone } from './look.ts';
import { isQuiet } from './quiet.ts';
import { SessionDetails } from './session-details.tsx';
import { StateBadge } from './state-badge.tsx';
import { SubAgentList } from './subagent-list.tsx';
import { TaskProgress } from './task-progress.tsx';

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
  const tone = toneOf(session);
  const { subject, activities, ask } = cardLines(session);
  return (
    <article className="card" data-tone={tone} data-arrived={arrived || undefined}>
      <div className="flex flex-col gap-1.5 px-3 pt-2 pb-2.5">
        <div className="flex items-center justify-between gap-3 text-[0.8929rem]">
          <StateBadge agentState={session.agentState} tone={tone} subject={subject} />
          <span className="shrink-0 text-ink-3 tabular-nums">
            <Elapsed since={session.stateSince} />
          </span>
        </div>
        <h3>
          <button
            type="button"
            className="card-title"
            dir="auto"
            data-card={session.id}
            aria-expanded={open}
            aria-controls={open ? detailsId : undefined}
            onClick={() => onToggle(session.id)}
          >
            {clipLine(session.title, 300) || 'Untitled session'}
          </button>
        </h3>
        {activities.map((line) => (
          <p key={line} dir="auto" className="truncate text-ink-2">
            {line}
          </p>
        ))}
        {ask && (
          <div
            className={open ? 'card-ask above' : 'card-ask'}
            data-code={ask.code || undefined}
            data-open={open || undefined}
          >
            <p dir="auto">{ask.text}</p>
            {ask.more > 0 && <p className="text-ink-3">and {ask.more} more</p>}
          </div>
        )}
        <SubAgentList agents={session.subAgents} open={open} />
        <TaskProgress items={session.progressItems} />
        <QuietMark session={session} />
      </div>
      <CardCells session={session} />
      {open && (
        <div id={detailsId}>
          <SessionDetails session={session} />
        </div>
      )}
    </article>
  );
}

/** A state that has not settled may be over in a second, so it does not shout. */
function toneOf(session: LiveSession): Tone {
  return session.attention === 'settling' ? 'gray' : lookOf(session.agentState).tone;
}

function QuietMark({ session }: { session: LiveSession }) {
  const working = session.agentState.group === 'autonomous';
  const quiet = useClock(useCallback((now: number) => working && isQuiet(session, now), [working, session]));
  if (!quiet) return null;
  return (
    <p className="flex items-center gap-1.5 text-[0.8929rem] text-ink-3">
      <Hourglass aria-hidden size={13} className="shrink-0" />
      <span>
        Quiet for <Elapsed since={session.lastActivityAt} />
      </span>
    </p>
  );
}

const ARRIVAL_MS = 5_000;

/** A card that has just come to need the operator catches the eye once; a page that was just loaded stays calm. */
function hasJustArrived(session: LiveSession): boolean {
  return columnOf(session) === 'needs_you' && Date.now() - session.stateSince < ARRIVAL_MS;
}
