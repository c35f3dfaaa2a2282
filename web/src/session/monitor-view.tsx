import { Link } from '@tanstack/react-router';
import { MonitorOff } from 'lucide-react';
import { memo, type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { SessionAnswers } from '../approvals/session-answers.tsx';
import { useGrowingLimit } from '../board/use-growing-limit.ts';
import { useBoard, useLive, useSession } from '../live/live.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { StateBadge } from '../sessions/state-badge.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { clipLine } from '../ui/format.ts';
import { Empty, Skeleton } from '../ui/states.tsx';
import { ConversationProvider } from './conversation/conversation-context.ts';
import { createExpandedParts, ExpandedPartsProvider } from './conversation/expanded-parts.ts';
import { MessageRow } from './conversation/message-row.tsx';
import { useConversation, useFollow } from './conversation/use-conversation.ts';
import { useRows } from './conversation/use-rows.ts';

const SHOWN = 20;

/** A wall of panes with the live conversation of each running or waiting session. */
export function MonitorView({ mainRef }: { mainRef: RefObject<HTMLElement | null> }) {
  const { store } = useLive();
  const { columns, ready, filter } = useBoard();
  const { needs_you: waiting, autonomous: running } = columns;
  // The board sorts by latest activity; on a wall, that would make the panes jump.
  const ids = useMemo(
    () => [...waiting.ids, ...[...running.ids].sort((a, b) => startOf(store.get(a)) - startOf(store.get(b)))],
    [store, waiting.ids, running.ids],
  );
  const { limit, endRef } = useGrowingLimit(ids.length);
  if (!ready)
    return (
      <main className="p-6" aria-label="Sessions" aria-busy>
        <Skeleton lines={8} what="the sessions" />
      </main>
    );
  if (ids.length === 0)
    return (
      <main className="flex-1 overflow-y-auto" aria-label="Sessions">
        <Empty icon={MonitorOff} title="Nothing running">
          <p>
            {filter ? 'No running or waiting session matches the filter.' : 'Running and waiting sessions appear here.'}
          </p>
        </Empty>
      </main>
    );
  return (
    <main ref={mainRef} className="monitor" aria-label="Sessions" data-column="all" data-scrolls>
      <h2 className="sr-only">Live conversations</h2>
      {ids.slice(0, limit).map((id) => (
        <Pane key={id} id={id} />
      ))}
      <span ref={endRef} aria-hidden />
    </main>
  );
}

const startOf = (session: LiveSession | undefined) => session?.startedAt ?? 0;

const Pane = memo(function Pane({ id }: { id: string }) {
  const session = useSession(id);
  const box = useRef<HTMLElement>(null);
  const inView = useInView(box);
  const [wasSeen, setWasSeen] = useState(false);
  if (inView && !wasSeen) setWasSeen(true);
  if (!session) return null;
  const tone = session.attention === 'settling' ? 'gray' : styleOf(session.agentState).tone;
  return (
    <article ref={box} className="pane" data-tone={tone} data-pane={id}>
      <header className="pane-head">
        <div className="flex items-center justify-between gap-3 text-sm">
          <StateBadge agentState={session.agentState} tone={tone} subject="" />
          <span className="min-w-0 flex-1 truncate text-ink-3">
            <bdi>{clipLine(session.projectDisplayName, 60)}</bdi>
          </span>
          <span className="shrink-0 text-ink-3 tabular-nums">
            <Elapsed since={session.stateSince} />
          </span>
        </div>
        <h3>
          <Link to="/sessions/$sessionId" params={{ sessionId: id }} className="pane-title" dir="auto" data-card={id}>
            <TitleText title={session.title} max={200} />
          </Link>
        </h3>
      </header>
      {wasSeen ? <Tail session={session} active={inView} /> : <div className="pane-body" />}
      <div className="pane-foot">{inView && <SessionAnswers session={session} compact />}</div>
    </article>
  );
});

/** The latest messages. Fetches more only while visible. */
function Tail({ session, active }: { session: LiveSession; active: boolean }) {
  const { id, seq } = session;
  const [view, conversation] = useConversation({
    sessionId: id,
    agentId: null,
    limit: SHOWN,
    keep: SHOWN,
    place: 'end',
  });
  useFollow(conversation, seq, { active });
  const [expanded] = useState(createExpandedParts);
  const where = useMemo(() => ({ sessionId: id, agentId: null, isLive: true, depth: 0 }), [id]);
  const rows = useRows(view, { sessionId: id, agentId: null });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className="pane-body" tabIndex={0} aria-label={`Conversation of ${clipLine(session.title, 80)}`}>
      <ExpandedPartsProvider value={expanded}>
        <ConversationProvider value={where}>
          <div>
            {view.phase === 'opening' && rows.length === 0 && (
              <div className="p-4">
                <Skeleton lines={4} what="the conversation" />
              </div>
            )}
            {view.phase === 'failed' && <p className="p-4 text-ink-3">{view.error}</p>}
            {rows.map(({ key, ...row }, index) => (
              <MessageRow key={key} {...row} before={rows[index - 1]?.message} />
            ))}
          </div>
        </ConversationProvider>
      </ExpandedPartsProvider>
    </section>
  );
}

function useInView(ref: React.RefObject<HTMLElement | null>): boolean {
  const [inView, setInView] = useState(false);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting ?? false));
    observer.observe(element);
    return () => observer.disconnect();
  }, [ref]);
  return inView;
}
