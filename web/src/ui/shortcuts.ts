import { useEffect, useRef } from 'react';
import { createStrayTyping } from './stray-typing.ts';
import { toast } from './toasts.tsx';
import { createTyping } from './typing.ts';

export interface Shortcut {
  /** The browser's key names: j, Enter, ?, Escape. `g s` for a sequence, `mod+k` with Ctrl or Cmd, `shift+a` for a letter with Shift. */
  keys: readonly string[];
  what: string;
  /** Absent: the browser handles it, and the help lists it. */
  run?: (event: KeyboardEvent) => void;
  /**
   * Instead of `run`, for keys that answer an agent: returns what to do if the key was pressed on its own. Only where the operator moved the focus,
   * not where it landed on its own.
   */
  decide?: (event: KeyboardEvent) => (() => void) | undefined;
  /** Also works while typing in a field. */
  inFields?: boolean;
  /** Ignored in the middle of a word. */
  notInWords?: boolean;
}

interface Layer {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** Page shortcuts are registered after the app's, and win. */
const layers: Layer[] = [];
const SEQUENCE_MS = 1_200;
let pressed: { key: string; at: number } | null = null;
const writing = createStrayTyping();
const typing = createTyping();

export function activeShortcuts(): readonly Layer[] {
  return layers;
}

/** Shortcuts that work while the component is mounted, listed in the help under `title`. Those `everywhere` are listed last. */
export function useShortcuts(title: string, shortcuts: readonly Shortcut[], { everywhere = false } = {}) {
  const layer = useRef<Layer>({ title, shortcuts });
  useEffect(() => {
    layer.current.title = title;
    layer.current.shortcuts = shortcuts;
  });
  useEffect(() => {
    const mine = layer.current;
    if (layers.length === 0) listen();
    if (everywhere) layers.unshift(mine);
    else layers.push(mine);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
      if (layers.length === 0) stopListening();
    };
  }, [everywhere]);
}

function listen() {
  window.addEventListener('keydown', noteKey, true);
  window.addEventListener('pointerdown', writing.move, true);
  window.addEventListener('keydown', onKey);
}

function stopListening() {
  window.removeEventListener('keydown', noteKey, true);
  window.removeEventListener('pointerdown', writing.move, true);
  window.removeEventListener('keydown', onKey);
}

/** Whether the key that just clicked a button was part of typed text. */
export function isTyping(): boolean {
  return typing.isInWord() && typing.isGoingOn(performance.now());
}

/** Runs before any other handler. Fields that persist are for text to an agent; others disappear when the operator is done with them. */
function noteKey(event: KeyboardEvent) {
  const { target, key, timeStamp } = event;
  if (isWritten(event) && !event.repeat) typing.note(timeStamp);
  else if (key === 'Tab' || key === 'Escape' || key.startsWith('Arrow')) typing.endWord();
  const isEnd = key === 'Enter' && (event.ctrlKey || event.metaKey);
  if (key === 'Tab' || key === 'Escape' || isEnd) writing.move();
  else if (target instanceof HTMLElement && target.matches('[data-keep]')) writing.write(target, timeStamp);
  else if (key.startsWith('Arrow')) writing.move();
  else if (isWritten(event) && writing.isWord(timeStamp)) {
    event.preventDefault();
    event.stopPropagation();
  }
}

/** Characters that make up a sentence. */
function isWritten({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return (key.length === 1 || key === 'Enter' || key === 'Backspace') && !ctrlKey && !metaKey && !altKey;
}

function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf(event);
  const sequence = pressed && event.timeStamp - pressed.at < SEQUENCE_MS ? `${pressed.key} ${name}` : null;
  if (name.startsWith('Arrow') && isScroller(event.target)) return;
  const place = placeOf(event.target);
  pressed = place !== 'page' || event.repeat ? null : { key: name, at: event.timeStamp };
  const shifted = event.shiftKey && /^[a-z]$/.test(name) ? find(`shift+${name}`, place) : undefined;
  const hit = shifted ?? find(sequence, place) ?? find(name, place);
  if (!hit) return;
  pressed = null;
  event.preventDefault();
  if (hit.decide && writing.isAdrift()) return warnAdrift();
  if (hit.decide && typing.isInWord()) return warnTyping();
  if (hit.notInWords && typing.isInWord()) return;
  writing.move();
  const act = hit.decide?.(event);
  if (act) typing.whenAlone(act, warnTyping);
  else hit.run?.(event);
}

function warnTyping() {
  toast({ text: 'No decision made: that looked like typing. Press the key on its own.', tone: 'gray' });
}

function warnAdrift() {
  toast({
    text: 'No decision made: the field you were typing in is gone. Select a card first, with j, k or a click.',
    tone: 'gray',
  });
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

function find(name: string | null, place: Place): Shortcut | undefined {
  if (name === null || (place === 'modal' && !name.startsWith('mod+'))) return undefined;
  for (const { shortcuts } of [...layers].reverse()) {
    const hit = shortcuts.find(
      ({ keys, run, decide, inFields }) => (run || decide) && keys.includes(name) && (inFields || place === 'page'),
    );
    if (hit) return hit;
  }
  return undefined;
}

/** A focused scrollable box uses the arrow keys itself. */
function isScroller(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.tabIndex === 0 && target.matches('section, pre, [role="region"]');
}

/** In a field, letters are text; an open dialog or menu has the keyboard to itself. */
type Place = 'page' | 'field' | 'modal';

function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('dialog, [popover], [role="menu"]')) return 'modal';
  return target.closest('input, textarea, select, [contenteditable]') ? 'field' : 'page';
}
