import { useLayoutEffect, useReducer, useRef } from 'react';
import { nextFrame } from '../live/next-frame.ts';
import { ease } from './ease.ts';

/** The list, with newcomers a few at a time: a fleet that changes all over must not stop the page. */
export function useEased(ids: readonly string[], enabled: boolean): readonly string[] {
  const [, again] = useReducer((count: number) => count + 1, 0);
  const shown = useRef<readonly string[]>([]);
  const next = enabled ? ease(ids, shown.current, focusedSession()) : { ids, more: false };
  useLayoutEffect(() => {
    shown.current = next.ids;
    if (!next.more) return;
    let over = false;
    nextFrame(() => {
      if (!over) again();
    });
    return () => {
      over = true;
    };
  });
  return next.ids;
}

/** Whoever works by keyboard stays with their card when it moves to another column. */
function focusedSession(): string | undefined {
  return document.activeElement?.closest<HTMLElement>('[data-session]')?.dataset.session;
}
