import { isTyping } from '../../ui/shortcuts.ts';
import { toast } from '../../ui/toasts.tsx';
import { watchLayout } from '../../ui/watch-layout.ts';
import { createPositions, FRESH_MS, type Place } from './track-positions.ts';

const places = createPositions();
const SAME_PLACE_PX = 40;
let decidedAt = { x: 0, y: 0, time: Number.NEGATIVE_INFINITY };
let timer: ReturnType<typeof setTimeout> | undefined;

/** For answers that aren't clicks: a request that just appeared or moved here is not what the operator meant. */
export function isFresh(panel: Element): boolean {
  // the layout may have changed since it was last looked at
  check();
  return panel.matches('[data-fresh]');
}

/**
 * Keeps a click from answering a request that wasn't there when the hand started moving, and typing from pressing a button that happens to
 * have the focus. Returns a function that stops it.
 */
export function guardDecisions(): () => void {
  const panels = document.getElementsByClassName('approval');
  const stopWatching = watchLayout({ check, isNeeded: () => panels.length > 0 || places.size() > 0 });
  document.addEventListener('click', onClick, true);
  return () => {
    stopWatching();
    clearTimeout(timer);
    document.removeEventListener('click', onClick, true);
  };
}

function check() {
  const panels = [...document.querySelectorAll<HTMLElement>('[data-approval]')];
  const now = performance.now();
  places.update(new Map(panels.map((panel) => [keyOf(panel), placeOf(panel)])), now);
  for (const panel of panels) panel.toggleAttribute('data-fresh', places.isFresh(keyOf(panel), now));
  clearTimeout(timer);
  const next = places.nextChange(now);
  if (next !== null) timer = setTimeout(check, next + 1);
}

function onClick(event: MouseEvent) {
  const isByPointer = event instanceof PointerEvent && event.pointerType !== '';
  if (isByPointer && isSecondClick(event)) return stop(event);
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-decides]') : null;
  const panel = button?.closest('[data-approval]');
  if (!button || !panel) return;
  if (isByPointer ? isFresh(panel) : document.activeElement === button && isTyping()) {
    stop(event);
    toast({
      text: isByPointer
        ? 'No decision made: this request just moved here. Click again.'
        : 'No decision made: that looked like typing.',
      tone: 'gray',
    });
  } else if (isByPointer) decidedAt = { x: event.clientX, y: event.clientY, time: event.timeStamp };
}

function stop(event: Event) {
  event.preventDefault();
  event.stopPropagation();
}

/** The button is gone by then. Whatever it uncovered, such as the card's link, wasn't meant. */
function isSecondClick({ clientX, clientY, timeStamp }: MouseEvent): boolean {
  const { x, y, time } = decidedAt;
  return timeStamp - time < FRESH_MS && Math.hypot(clientX - x, clientY - y) < SAME_PLACE_PX;
}

/** The same request may appear twice, on its card and in a dialog. */
function keyOf(panel: HTMLElement): string {
  return `${panel.dataset.approval} ${panel.closest('dialog') ? 'dialog' : 'page'}`;
}

function placeOf(panel: HTMLElement): Place {
  const { x, y } = panel.getBoundingClientRect();
  const scroller = panel.closest('[data-scrolls]');
  const top = scroller?.getBoundingClientRect().y ?? 0;
  return { x, y, contentY: y - top + (scroller?.scrollTop ?? 0) };
}
