import type { ReactNode } from 'react';
import type { Column } from './board-store.ts';

interface Props {
  column: Pick<Column, 'ids' | 'sections'>;
  /** How many ids to show. */
  limit: number;
  heading: 'h2' | 'h3';
  children: (ids: readonly string[]) => ReactNode;
}

/** The cards under their group names, or all together. */
export function Sections({ column: { ids, sections }, limit, heading: Heading, children }: Props) {
  if (sections.length === 0) return children(ids.slice(0, limit));
  let from = 0;
  return sections.map(({ name, count }) => {
    const mine = ids.slice(from, Math.min(from + count, limit));
    from += count;
    if (mine.length === 0) return null;
    return (
      <section key={name} aria-label={name} className="board-section">
        <Heading className="board-section-name">
          <bdi className="min-w-0 truncate">{name}</bdi>
          <span className="column-count">{count}</span>
        </Heading>
        {children(mine)}
      </section>
    );
  });
}
