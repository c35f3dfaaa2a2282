import type { RefObject } from 'react';
import { useShortcuts } from '../ui/shortcuts.ts';
import { type Direction, moveFocus } from './move-focus.ts';

interface Keys {
  board: RefObject<HTMLElement | null>;
  filter: RefObject<HTMLInputElement | null>;
}

export function useBoardKeys({ board, filter }: Keys) {
  const move = (direction: Direction) => () => void (board.current && moveFocus(board.current, direction));
  useShortcuts('Sessions', [
    { keys: ['j', 'ArrowDown'], what: 'Next card', run: move('down') },
    { keys: ['k', 'ArrowUp'], what: 'Previous card', run: move('up') },
    { keys: ['h', 'ArrowLeft'], what: 'Column to the left', run: move('left') },
    { keys: ['l', 'ArrowRight'], what: 'Column to the right', run: move('right') },
    { keys: ['/'], what: 'Filter', run: () => filter.current?.select() },
  ]);
}
