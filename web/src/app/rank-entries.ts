import { defaultFilter } from 'cmdk';

export interface EntryGroup<E> {
  heading: string;
  entries: readonly E[];
}

/** Groups with matching entries, best first within each group, and the group with the best match first. Unchanged without a text. */
export function rankEntries<E extends { words: string }>(
  groups: ReadonlyArray<EntryGroup<E>>,
  text: string,
  { max }: { max: number },
): Array<EntryGroup<E>> {
  const wanted = text.trim();
  if (!wanted) return present(groups.map(({ heading, entries }) => ({ heading, entries: entries.slice(0, max) })));
  const scored = groups.map(({ heading, entries }) => {
    const fitting = entries
      .map((entry) => ({ entry, score: defaultFilter(entry.words, wanted) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score);
    return { heading, best: fitting[0]?.score ?? 0, entries: fitting.slice(0, max).map(({ entry }) => entry) };
  });
  return present(scored.sort((a, b) => b.best - a.best));
}

function present<G extends EntryGroup<unknown>>(groups: G[]): G[] {
  return groups.filter(({ entries }) => entries.length > 0);
}
