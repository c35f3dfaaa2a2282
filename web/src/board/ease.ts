/** How many cards may appear in a column with one frame: each costs some milliseconds, and several make the page stumble. */
const AT_ONCE = 1;
/** An empty board is better filled than smooth. */
const AT_FIRST = 4;

export interface Eased {
  ids: readonly string[];
  /** Some are still to come. */
  more: boolean;
}

/**
 * What to show of a list that changed: who leaves leaves at once, who moves moves, and of those who come only a few; the
 * next frames bring the others, if they still stand there by then.
 */
export function ease(ids: readonly string[], shown: readonly string[], sooner: string | undefined): Eased {
  const known = new Set(shown);
  let room = shown.length === 0 ? AT_FIRST : AT_ONCE;
  const now = ids.filter((id) => known.has(id) || id === sooner || room-- > 0);
  return now.length === ids.length ? { ids, more: false } : { ids: now, more: true };
}
