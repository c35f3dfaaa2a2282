import { useEffect, useRef } from 'react';
import { createStrayTyping } from './stray-typing.ts';
import { toast } from './toasts.tsx';
import { createTyping } from './typing.ts';

export interface Shortcut {
  /** As the browser names it: j, Enter, ?, Escape; `g s` for two in a row; `mod+k` with Ctrl or Cmd. */
  keys: readonly string[];
  what: string;
  /** Absent: the browser does it by itself, and the help says so. */
  run?: (event: KeyboardEvent) => void;
  /**
   * Instead of `run`, for a key that answers an agent: returns what to do if the key stands alone. Only where the operator went, not where
   * the focus came to by itself.
   */
  decide?: (event: KeyboardEvent) => (() => void) | undefined;
  /** Also while typing in a field. */
  inFields?: boolean;
  /** Not by a key in the middle of a word. */
  notInWords?: boolean;
}

interface Layer {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** Those of the page come after those of the app, and win. */
const layers: Layer[] = [];
const SEQUENCE_MS = 1_200;
let pressed: { key: string; at: number } | null = null;
const writing = createStrayTyping();
const typing = createTyping();

export function activeShortcuts(): readonly Layer[] {
  return layers;
}

/**
 * Keys that work while the component is there, and that the help lists under `title`. Those `everywhere` stand under all
 * others, whichever was first on the page.
 */
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

/** Whether the key that has just clicked a button was one of many that someone typed. */
export function isTyping(): boolean {
  return typing.isInWord() && typing.isGoingOn(performance.now());
}

/** Before anyone else has it. Fields that are kept are for words to an agent; others go when the operator is done with them. */
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

/** What a sentence is made of. */
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
  const hit = find(sequence, place) ?? find(name, place);
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

/** A box that scrolls and has the focus: the arrows are its own. */
function isScroller(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.tabIndex === 0 && target.matches('section, pre, [role="region"]');
}

/** In a field the letters are letters, and an open dialog or menu has the keyboard for itself. */
type Place = 'page' | 'field' | 'modal';

function placeOf(target: EventTarget | null): Place {
  if (!(target instanceof Element)) return 'page';
  if (target.closest('dialog, [popover], [role="menu"]')) return 'modal';
  return target.closest('input, textarea, select, [contenteditable]') ? 'field' : 'page';
}
