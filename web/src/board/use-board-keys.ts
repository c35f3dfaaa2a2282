import type { RefObject } from 'react';
import type { View } from '../app/router.tsx';
import { sayHowToSelect, useAnswerKeys } from '../approvals/answer/use-answer-keys.ts';
import { useLive } from '../live/live.ts';
import { type Shortcut, useShortcuts } from '../ui/shortcuts.ts';
import { type Direction, focusedCard, focusNextAsking, moveByRow, moveFocus } from './move-focus.ts';

interface Keys {
  view: View;
  board: RefObject<HTMLElement | null>;
  filter: RefObject<HTMLInputElement | null>;
  onToggle: (id: string) => void;
}

export function useBoardKeys({ view, board, filter, onToggle }: Keys) {
  const { approvals, store } = useLive();
  const answers = useAnswerKeys({
    approval: () => {
      const id = focusedCard()?.dataset.card ?? '';
      // Don't answer a request that its card doesn't show yet.
      return store.get(id)?.attention === 'settling' ? undefined : approvals.snapshot().bySession.get(id)?.[0];
    },
    around: () => focusedCard()?.closest('article') ?? null,
    select: sayHowToSelect,
    onDecided: ({ sessionId }) => board.current && focusNextAsking(board.current, sessionId),
  });
  const move = (direction: Direction) => () => void (board.current && moveFocus(board.current, direction));
  const byRow = (direction: 'up' | 'down') => () => void (board.current && moveByRow(board.current, direction));
  const toggle = () => onToggle(focusedCard()?.dataset.card ?? '');
  const details: Shortcut = { keys: ['o'], what: 'Card details', run: toggle };
  useShortcuts('Sessions', [
    ...movesIn(view, { move, byRow }),
    { keys: ['Enter'], what: 'Open session' },
    // Only cards have details that expand in place.
    ...(view === 'board' || view === 'grid' ? [details] : []),
    // A list row has no room for the answer form; the session's page does.
    ...(view === 'list' ? [] : answers),
    { keys: ['/'], what: 'Filter', run: () => filter.current?.select() },
  ]);
}

interface Moves {
  move: (direction: Direction) => () => void;
  byRow: (direction: 'up' | 'down') => () => void;
}

function movesIn(view: View, { move, byRow }: Moves): Shortcut[] {
  if (view === 'list')
    return [
      { keys: ['j', 'ArrowDown'], what: 'Next row', run: move('down') },
      { keys: ['k', 'ArrowUp'], what: 'Previous row', run: move('up') },
    ];
  if (view === 'board')
    return [
      { keys: ['j', 'ArrowDown'], what: 'Next card', run: move('down') },
      { keys: ['k', 'ArrowUp'], what: 'Previous card', run: move('up') },
      { keys: ['h', 'ArrowLeft'], what: 'Column on the left', run: move('left') },
      { keys: ['l', 'ArrowRight'], what: 'Column on the right', run: move('right') },
    ];
  const one = view === 'monitor' ? 'pane' : 'card';
  return [
    { keys: ['j', 'l', 'ArrowRight'], what: `Next ${one}`, run: move('down') },
    { keys: ['k', 'h', 'ArrowLeft'], what: `Previous ${one}`, run: move('up') },
    { keys: ['ArrowDown'], what: `The ${one} below`, run: byRow('down') },
    { keys: ['ArrowUp'], what: `The ${one} above`, run: byRow('up') },
  ];
}
