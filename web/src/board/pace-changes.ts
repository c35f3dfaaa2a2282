export interface PacedList {
  ids: readonly string[];
  /** Some are still to come. */
  more: boolean;
}

interface Options {
  /** What stands in the column now. */
  shown: readonly string[];
  /** Everyone in it, also those for whom there is no place. */
  column: readonly string[];
  /** How many may come now. */
  room: number;
  /** May come in any case. */
  sooner: string | undefined;
}

/**
 * What to show of a list that changed: who has left the column leaves at once, who moves moves, and of those who come only a few; the
 * next frames bring the others, if they still stand there by then. Who has only fallen behind stays until someone takes the place.
 */
export function paceChanges(ids: readonly string[], { shown, column, room, sooner }: Options): PacedList {
  const known = new Set(shown);
  let left = room;
  const now = ids.filter((id) => known.has(id) || id === sooner || left-- > 0);
  if (now.length === ids.length) return { ids, more: false };
  const behind = shown.filter((id) => !ids.includes(id) && column.includes(id));
  return { ids: [...now, ...behind.slice(0, ids.length - now.length)], more: true };
}
