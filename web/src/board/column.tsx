import { memo } from 'react';
import type { Group } from '../../../src/contract/groups.ts';
import { useAttention } from '../live/live.ts';
import { SessionCard } from '../sessions/session-card.tsx';
import type { Column as ColumnData } from './board-store.ts';
import { GROUP_LOOKS } from './groups.ts';
import { Sections } from './sections.tsx';
import { useGrowingLimit } from './use-growing-limit.ts';
import { usePacedList } from './use-paced-list.ts';

/** Requests and idle sessions are counted separately: only requests block an agent. */
function AttentionCount() {
  const { requests, idle } = useAttention();
  return (
    <>
      <span className="column-count" data-calls={requests > 0 || undefined}>
        {requests}
        <span className="sr-only"> to answer</span>
      </span>
      {idle > 0 && <span className="text-ink-3 font-normal">{idle} idle</span>}
    </>
  );
}

interface Props {
  group: Group;
  column: ColumnData;
  filtered: boolean;
  openIds: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

export const Column = memo(function Column({ group, column, filtered, openIds, onToggle }: Props) {
  const { title, tone, empty } = GROUP_LOOKS[group];
  const headingId = `column-${group}`;
  const { limit, hasGrown, endRef } = useGrowingLimit(column.ids.length);
  // Someone who scrolled down wants the whole list.
  const isEased = column.sections.length === 0 && !hasGrown;
  const first = usePacedList({ name: group, column: column.ids, limit, enabled: isEased });
  return (
    <section
      className="column"
      data-column={group}
      data-tone={tone}
      data-grown={hasGrown || undefined}
      aria-labelledby={headingId}
    >
      <h2 id={headingId} className="flex items-center gap-2.5 px-4 pt-3 pb-2.5 text-lg font-semibold">
        <span aria-hidden className="h-4 w-1 rounded-full bg-tone-edge" />
        {title}
        {filtered && column.ids.length !== column.total ? (
          <span className="column-count">
            {column.ids.length} of {column.total}
          </span>
        ) : group === 'needs_you' ? (
          <AttentionCount />
        ) : (
          <span className="column-count">{column.total}</span>
        )}
      </h2>
      <div className="column-cards" data-scrolls>
        {column.ids.length === 0 ? (
          <p className="px-1 py-2 text-ink-3">{filtered && column.total > 0 ? 'No matches' : empty}</p>
        ) : (
          <Sections column={isEased ? { ids: first, sections: [] } : column} limit={limit} heading="h3">
            {(ids) => (
              <ul className="card-list flex flex-col gap-2.5">
                {ids.map((id) => (
                  <li key={id}>
                    <SessionCard id={id} open={openIds.has(id)} onToggle={onToggle} />
                  </li>
                ))}
              </ul>
            )}
          </Sections>
        )}
        {limit < column.ids.length && (!isEased || first.length === limit) && (
          <div ref={endRef} aria-hidden className="h-40" />
        )}
      </div>
    </section>
  );
});
