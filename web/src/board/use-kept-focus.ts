import { type RefObject, useLayoutEffect, useRef } from 'react';
import type { BoardSnapshot } from './board-store.ts';

/**
 * A card that moves to another column is rebuilt there, and the browser drops the focus from removed elements. Keyboard users stay with the
 * card or, if it was answered or its session is gone, at its position.
 */
export function useKeptFocus(board: RefObject<HTMLElement | null>, columns: BoardSnapshot['columns']) {
  const last = useRef<{ id: string; column: string; index: number; field: Field | null } | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs because the cards moved
  useLayoutEffect(() => {
    const focused = last.current;
    if (!focused || !board.current) return;
    const lost = document.activeElement === null || document.activeElement === document.body;
    if (!lost) return;
    if (focused.field && returnTo(board.current, focused.field)) return;
    const card = board.current.querySelector<HTMLElement>(`[data-card="${CSS.escape(focused.id)}"]`);
    const left = board.current.querySelectorAll<HTMLElement>(`[data-column="${focused.column}"] [data-card]`);
    const next = left[Math.min(focused.index, left.length - 1)];
    // After an answer, the focus moves to the next request; a card that still needs the operator keeps it.
    const isAnswered = focused.column === 'needs_you' && card?.closest('[data-column="needs_you"]') === null;
    (isAnswered ? (next ?? card) : (card ?? next))?.focus({ preventScroll: true });
  }, [columns]);

  return {
    onFocus(event: React.FocusEvent) {
      const card = event.target.closest('article')?.querySelector<HTMLElement>('[data-card]');
      const column = card?.closest<HTMLElement>('[data-column]');
      if (!card || !column) return;
      const index = [...column.querySelectorAll('[data-card]')].indexOf(card);
      const field = event.target.getAttribute('data-keep');
      last.current = {
        id: card.dataset.card ?? '',
        column: column.dataset.column ?? '',
        index,
        field: field === null ? null : { name: field, caret: 0 },
      };
    },
    onSelect({ target }: React.SyntheticEvent) {
      const field = last.current?.field;
      if (!field || !(target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement)) return;
      if (target.getAttribute('data-keep') === field.name) field.caret = target.selectionStart ?? 0;
    },
    onBlur(event: React.FocusEvent) {
      // Removed elements blur to nothing. So does a click on the background, which means to let go.
      if (event.relatedTarget !== null || event.target.isConnected) last.current = null;
    },
  };
}

/** A text field the operator is writing in, and the cursor position. */
interface Field {
  name: string;
  caret: number;
}

function returnTo(board: HTMLElement, { name, caret }: Field): boolean {
  const field = board.querySelector<HTMLTextAreaElement | HTMLInputElement>(`[data-keep="${CSS.escape(name)}"]`);
  if (!field) return false;
  field.focus({ preventScroll: true });
  if (field instanceof HTMLTextAreaElement || field.type === 'text') field.setSelectionRange(caret, caret);
  return true;
}
