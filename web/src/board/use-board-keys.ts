import { type RefObject, useEffect } from 'react';
import { type Direction, moveFocus } from './move-focus.ts';

const DIRECTIONS: Record<string, Direction> = {
  j: 'down',
  ArrowDown: 'down',
  k: 'up',
  ArrowUp: 'up',
  h: 'left',
  ArrowLeft: 'left',
  l: 'right',
  ArrowRight: 'right',
};

interface Keys {
  board: RefObject<HTMLElement | null>;
  filter: RefObject<HTMLInputElement | null>;
  onHelp: () => void;
}

export function useBoardKeys({ board, filter, onHelp }: Keys) {
  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (isElsewhere(event.target)) return;
      const direction = DIRECTIONS[event.key];
      if (direction && board.current && moveFocus(board.current, direction)) event.preventDefault();
      if (event.key === '/') {
        event.preventDefault();
        filter.current?.select();
      }
      if (event.key === '?') onHelp();
    }
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [board, filter, onHelp]);
}

/** In a field the letters are letters, and an open dialog has the keyboard for itself. */
function isElsewhere(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog, [popover]') !== null;
}
