export type Direction = 'up' | 'down' | 'left' | 'right';

/** Moves from card to card: up and down in a column, left and right to the nearest column that has any. */
export function moveFocus(board: HTMLElement, direction: Direction): boolean {
  const columns = [...board.querySelectorAll<HTMLElement>('[data-column]')]
    .filter((column) => column.checkVisibility())
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-card]')])
    .filter((cards) => cards.length > 0);
  const target = nextPlace(columns, focusedPlace(columns), direction);
  if (!target) return false;
  target.focus();
  target.closest('article')?.scrollIntoView({ block: 'nearest' });
  return true;
}

type Place = { column: number; index: number };

/** The card that has the focus, or holds what has it: a button of its details, an answer. */
export function focusedCard(): HTMLElement | null {
  return document.activeElement?.closest('article')?.querySelector<HTMLElement>('[data-card]') ?? null;
}

function focusedPlace(columns: HTMLElement[][]): Place | null {
  const focused = focusedCard();
  if (!focused) return null;
  const column = columns.findIndex((cards) => cards.includes(focused));
  return column < 0 ? null : { column, index: columns[column]!.indexOf(focused) };
}

export function nextPlace<T>(columns: T[][], from: Place | null, direction: Direction): T | undefined {
  if (!from) return columns[0]?.[0];
  const { column, index } = from;
  if (direction === 'up') return columns[column]?.[index - 1];
  if (direction === 'down') return columns[column]?.[index + 1];
  // in a grid all is one column, and beside means before or after
  if (columns.length === 1) return columns[0]?.[index + (direction === 'left' ? -1 : 1)];
  const beside = columns[column + (direction === 'left' ? -1 : 1)];
  return beside?.[Math.min(index, beside.length - 1)];
}
