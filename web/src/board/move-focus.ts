export type Direction = 'up' | 'down' | 'left' | 'right';

/** Moves from card to card: up and down within a column, left and right to the nearest non-empty column. */
export function moveFocus(board: HTMLElement, direction: Direction): void {
  const columns = columnsIn(board);
  focusOn(nextPlace(columns, focusedPlace(columns), direction));
}

/** For cards in rows: moves to the nearest one in the row above or below. */
export function moveByRow(board: HTMLElement, direction: 'up' | 'down'): void {
  const cards = columnsIn(board).flat();
  const focused = focusedCard();
  if (!focused || !cards.includes(focused)) focusOn(cards[0]);
  else focusOn(cards[inNextRow(cards.map(boxOf), cards.indexOf(focused), direction)]);
}

function columnsIn(board: HTMLElement): HTMLElement[][] {
  const places = board.matches('[data-column]') ? [board] : board.querySelectorAll<HTMLElement>('[data-column]');
  return [...places]
    .filter((column) => column.checkVisibility())
    .map((column) => [...column.querySelectorAll<HTMLElement>('[data-card]')])
    .filter((cards) => cards.length > 0);
}

function focusOn(card: HTMLElement | undefined) {
  card?.focus();
  card?.closest('article')?.scrollIntoView({ block: 'nearest' });
}

/** Moves to the next card with a request, so the focus doesn't follow an answered card out of its column. */
export function focusNextAsking(board: HTMLElement, sessionId: string): void {
  const cards = columnsIn(board).flat();
  const from = cards.findIndex((card) => card.dataset.card === sessionId);
  const asks = (card: HTMLElement) =>
    card.dataset.card !== sessionId && card.closest('article')?.querySelector('[data-approval]:not([data-not-yet])');
  focusOn([...cards.slice(from + 1), ...cards.slice(0, Math.max(0, from))].find(asks));
}

type Place = { column: number; index: number };

/** The card that has the focus or contains the focused element. */
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
  // A grid is one column, so left and right mean previous and next.
  if (columns.length === 1) return columns[0]?.[index + (direction === 'left' ? -1 : 1)];
  const beside = columns[column + (direction === 'left' ? -1 : 1)];
  return beside?.[Math.min(index, beside.length - 1)];
}

interface Box {
  left: number;
  top: number;
}

function boxOf(card: HTMLElement): Box {
  return (card.closest('article') ?? card).getBoundingClientRect();
}

/** The index of the box to move to, or -1. Boxes in the same row have the same top. */
export function inNextRow(boxes: readonly Box[], from: number, direction: 'up' | 'down'): number {
  const here = boxes[from];
  if (!here) return -1;
  const sign = direction === 'down' ? 1 : -1;
  const beyond = boxes.filter(({ top }) => (top - here.top) * sign > 1);
  const row = Math.min(...beyond.map(({ top }) => top * sign)) * sign;
  const [nearest] = beyond
    .filter(({ top }) => Math.abs(top - row) <= 1)
    .sort((a, b) => Math.abs(a.left - here.left) - Math.abs(b.left - here.left));
  return nearest ? boxes.indexOf(nearest) : -1;
}
