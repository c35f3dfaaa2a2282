import type { RefObject } from 'react';
import { useAnswerKeys } from '../approvals/use-answer-keys.ts';
import { useLive } from '../live/live.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { type Direction, focusedCard, moveFocus } from './move-focus.ts';

interface Keys {
  board: RefObject<HTMLElement | null>;
  filter: RefObject<HTMLInputElement | null>;
  onToggle: (id: string) => void;
}

export function useBoardKeys({ board, filter, onToggle }: Keys) {
  const { approvals } = useLive();
  const move = (direction: Direction) => () => void (board.current && moveFocus(board.current, direction));
  const answers = useAnswerKeys({
    approval: () => approvals.snapshot().bySession.get(focusedCard()?.dataset.card ?? '')?.[0],
    around: () => focusedCard()?.closest('article') ?? null,
  });
  useShortcuts('Sessions', [
    { keys: ['j', 'ArrowDown'], what: 'Next card', run: move('down') },
    { keys: ['k', 'ArrowUp'], what: 'Previous card', run: move('up') },
    { keys: ['h', 'ArrowLeft'], what: 'Column to the left', run: move('left') },
    { keys: ['l', 'ArrowRight'], what: 'Column to the right', run: move('right') },
    { keys: ['o'], what: 'Details of the card', run: () => onToggle(focusedCard()?.dataset.card ?? '') },
    ...answers,
    { keys: ['/'], what: 'Filter', run: () => filter.current?.select() },
  ]);
}
