import { GROUPS } from '../../../src/contract/groups.ts';
import { SessionCard } from '../sessions/session-card.tsx';
import type { BoardSnapshot, Section } from './board-store.ts';
import { Sections } from './sections.tsx';
import { useGrowingLimit } from './use-growing-limit.ts';

interface Props {
  columns: BoardSnapshot['columns'];
  openIds: ReadonlySet<string>;
  onToggle: (id: string) => void;
}

/** All cards, those that need the operator first. */
export function GridView({ columns, openIds, onToggle }: Props) {
  const all = together(columns);
  const { limit, hasGrown, endRef } = useGrowingLimit(all.ids.length);
  return (
    <div className="card-grid-scroll" data-column="all" data-scrolls data-grown={hasGrown || undefined}>
      {all.sections.length === 0 && <h2 className="sr-only">All sessions</h2>}
      <Sections column={all} limit={limit} heading="h2">
        {(ids) => (
          <ul className="card-grid">
            {ids.map((id) => (
              <li key={id}>
                <SessionCard id={id} open={openIds.has(id)} onToggle={onToggle} />
              </li>
            ))}
          </ul>
        )}
      </Sections>
      {limit < all.ids.length && <div ref={endRef} aria-hidden className="h-40" />}
    </div>
  );
}

/** Merges the three lists; a project with sessions in several columns is one group. */
export function together(columns: BoardSnapshot['columns']): { ids: string[]; sections: Section[] } {
  const groups = new Map<string, string[]>();
  const ids: string[] = [];
  for (const group of GROUPS) {
    const column = columns[group];
    let from = 0;
    for (const { name, count } of column.sections) {
      groups.set(name, [...(groups.get(name) ?? []), ...column.ids.slice(from, from + count)]);
      from += count;
    }
    ids.push(...column.ids);
  }
  if (groups.size === 0) return { ids, sections: [] };
  return {
    ids: [...groups.values()].flat(),
    sections: [...groups].map(([name, members]) => ({ name, count: members.length })),
  };
}
