import { useEffect, useLayoutEffect, useReducer, useRef } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import { arrivals } from './arrivals.ts';
import { paceChanges } from './pace-changes.ts';

/** Filling an empty board matters more than smoothness. */
const AT_FIRST = 4;

interface Options {
  name: string;
  /** All of it, in order. */
  column: readonly string[];
  /** How many to show. */
  limit: number;
  enabled: boolean;
}

/** The start of a column, with new cards added a few at a time, so a fleet that changes everywhere doesn't block the page. */
export function usePacedList({ name, column, limit, enabled }: Options): readonly string[] {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<readonly string[]>([]);
  const ids = column.slice(0, limit);
  const next = enabled
    ? paceChanges(ids, {
        shown: shown.current,
        column,
        room: roomFor(name, ids, shown.current),
        sooner: focusedSession(),
      })
    : { ids, more: false };
  useLayoutEffect(() => {
    shown.current = next.ids;
    if (!next.more) return arrivals.giveUp(name);
    let over = false;
    nextFrame(() => {
      if (!over) again();
    });
    return () => {
      over = true;
    };
  });
  useEffect(() => () => arrivals.giveUp(name), [name]);
  return next.ids;
}

function roomFor(name: string, ids: readonly string[], shown: readonly string[]): number {
  if (shown.length === 0) return AT_FIRST;
  const isComplete = ids.every((id) => shown.includes(id));
  return !isComplete && arrivals.mayCome(name) ? 1 : 0;
}

/** Keyboard users stay with their card when it moves to another column. */
function focusedSession(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-session]')?.dataset.session;
}
