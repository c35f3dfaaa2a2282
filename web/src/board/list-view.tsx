import { Link } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, GitBranch } from 'lucide-react';
import { memo, useEffect, useMemo, useRef, useState } from 'react';
import { lineOf } from '../approvals/request/describe-request.ts';
import { useApprovalsOf, useLive, useManyMachines, useSession } from '../live/live.ts';
import { cardLines } from '../sessions/card-lines.ts';
import { ContextGauge } from '../sessions/context-gauge.tsx';
import { costText } from '../sessions/cost-text.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { StateBadge } from '../sessions/state-badge.tsx';
import { styleOf } from '../sessions/state-style.ts';
import { TitleText } from '../sessions/title-text.tsx';
import { totalTokens } from '../sessions/total-tokens.ts';
import { clipLine, formatTokens, humanize, shortModel } from '../ui/format.ts';
import type { BoardSnapshot } from './board-store.ts';
import { together } from './grid-view.tsx';
import { orderSessions, SORTS, type Sort } from './list-order.ts';

const ROW_PX = 46;
const SECTION_PX = 40;
/** Values change constantly; rows that moved as often couldn't be clicked. */
const REORDER_MS = 2_000;

type Line = { kind: 'section'; name: string; count: number } | { kind: 'session'; id: string };

/** One row per session, in any order. */
export default function ListView({ columns }: { columns: BoardSnapshot['columns'] }) {
  const [sort, setSort] = useState<{ by: Sort; descending: boolean } | null>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const lines = useLines(columns, sort);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (lines[index]?.kind === 'section' ? SECTION_PX : ROW_PX),
    getItemKey: (index) => keyOf(lines[index]),
    overscan: 12,
  });
  // A heading is not as tall as a row.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands where has changed
  useEffect(() => rows.measure(), [lines]);

  return (
    <div className="list-view">
      <fieldset aria-label="Order" className="list-row list-view-head">
        {SORTS.map((by) => {
          const active = sort?.by === by;
          const Arrow = sort?.descending ? ArrowDown : ArrowUp;
          return (
            <button
              key={by}
              type="button"
              data-cell={by}
              aria-pressed={active}
              className="list-sort"
              onClick={() => setSort(nextSort(sort, by))}
            >
              {humanize(by)}
              {active && <Arrow aria-label={sort.descending ? 'descending' : 'ascending'} size={13} />}
            </button>
          );
        })}
      </fieldset>
      <div ref={scroller} className="list-view-scroll" data-column="all" data-scrolls>
        <ul style={{ height: rows.getTotalSize() }} className="relative">
          {rows.getVirtualItems().map(({ index, key, start, size }) => {
            const line = lines[index];
            return (
              <li key={key} className="list-line" style={{ height: size, translate: `0 ${start}px` }}>
                {line?.kind === 'session' && <Row id={line.id} />}
                {line?.kind === 'section' && (
                  <h2 className="board-section-name px-4 pt-2.5">
                    <bdi className="min-w-0 truncate">{line.name}</bdi>
                    <span className="column-count">{line.count}</span>
                  </h2>
                )}
              </li>
            );
          })}
        </ul>
      </div>
    </div>
  );
}

/** Ascending, descending, then back to the board's order. */
function nextSort(before: { by: Sort; descending: boolean } | null, by: Sort) {
  if (before?.by !== by) return { by, descending: false };
  return before.descending ? null : { by, descending: true };
}

const keyOf = (line: Line | undefined) => (line?.kind === 'session' ? line.id : `section:${line?.name}`);

function useLines(columns: BoardSnapshot['columns'], sort: { by: Sort; descending: boolean } | null): Line[] {
  const { store } = useLive();
  const [time, setTime] = useState(0);
  useEffect(() => {
    if (!sort) return;
    const timer = setInterval(() => setTime((before) => before + 1), REORDER_MS);
    return () => clearInterval(timer);
  }, [sort]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: in order again as time passes
  return useMemo(() => {
    const { ids, sections } = together(columns);
    const ordered = (some: string[]) => {
      if (!sort) return some;
      const sessions = some.flatMap((id) => store.get(id) ?? []);
      return orderSessions(sessions, sort.by, sort.descending).map(({ id }) => id);
    };
    const toLine = (id: string): Line => ({ kind: 'session', id });
    if (sections.length === 0) return ordered(ids).map(toLine);
    let from = 0;
    return sections.flatMap(({ name, count }): Line[] => {
      const mine = ids.slice(from, from + count);
      from += count;
      return [{ kind: 'section', name, count }, ...ordered(mine).map(toLine)];
    });
  }, [columns, sort, time, store]);
}

const Row = memo(function Row({ id }: { id: string }) {
  const session = useSession(id);
  const [asked] = useApprovalsOf(id);
  const manyMachines = useManyMachines();
  if (!session) return null;
  const settling = session.attention === 'settling';
  const tone = settling ? 'gray' : styleOf(session.agentState).tone;
  const { subject, activities, ask } = cardLines(session);
  const line = asked ? lineOf(asked, session.projectPath).text : (ask?.text.split('\n')[0] ?? activities[0] ?? '');
  return (
    <article className="list-row" data-tone={tone}>
      <span data-cell="state">
        <StateBadge agentState={session.agentState} tone={tone} subject={subject} />
      </span>
      <span data-cell="title">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: id }}
          preload={false}
          data-card={id}
          dir="auto"
          className="block truncate font-semibold"
        >
          <TitleText title={session.title} max={200} />
        </Link>
        <span className="block truncate text-xs text-ink-3">
          <bdi className="list-place">{clipLine(session.projectDisplayName, 60)}</bdi>
          <bdi>{clipLine(line, 200)}</bdi>
        </span>
      </span>
      <bdi data-cell="project">
        {clipLine(session.projectDisplayName, 60)}
        {manyMachines && <span className="text-ink-3"> · {clipLine(session.machine, 30)}</span>}
      </bdi>
      <span data-cell="branch">
        {session.gitBranch && (
          <>
            <GitBranch aria-label="Branch" size={12} className="mr-1 inline align-[-1px]" />
            <bdi>{clipLine(session.gitBranch, 60)}</bdi>
          </>
        )}
      </span>
      <bdi data-cell="model">{session.model && shortModel(session.model)}</bdi>
      <span data-cell="context">
        <ContextGauge tokens={session.contextWindowTokens} limit={session.contextWindowLimit} />
      </span>
      <span data-cell="tokens">{session.tokens && formatTokens(totalTokens(session.tokens))}</span>
      <span data-cell="cost">{session.cost && costText(session.cost)}</span>
      <span data-cell="time">
        <Elapsed since={session.stateSince} />
      </span>
    </article>
  );
});
