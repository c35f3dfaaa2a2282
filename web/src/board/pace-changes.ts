export interface PacedList {
  ids: readonly string[];
  /** More are still to be added. */
  more: boolean;
}

interface Options {
  /** What the column shows now. */
  shown: readonly string[];
  /** Everything in the column, including what doesn't fit. */
  column: readonly string[];
  /** How many may be added now. */
  room: number;
  /** May always be added. */
  sooner: string | undefined;
}

/**
 * What to show of a changed list. Cards that left the column disappear at once, moved cards move, and only a few new ones are added; the
 * next frames add the others if they still belong there. A card that merely fell behind stays until another takes its place.
 */
export function paceChanges(ids: readonly string[], { shown, column, room, sooner }: Options): PacedList {
  const known = new Set(shown);
  let left = room;
  const now = ids.filter((id) => known.has(id) || id === sooner || left-- > 0);
  if (now.length === ids.length) return { ids, more: false };
  const behind = shown.filter((id) => !ids.includes(id) && column.includes(id));
  return { ids: [...now, ...behind.slice(0, ids.length - now.length)], more: true };
}
