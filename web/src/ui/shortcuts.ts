import { useEffect, useRef } from 'react';

export interface Shortcut {
  /** As the browser names it: j, Enter, ?, Escape; `g s` for two in a row; `mod+k` with Ctrl or Cmd. */
  keys: readonly string[];
  what: string;
  /** Absent: the browser does it by itself, and the help says so. */
  run?: (event: KeyboardEvent) => void;
  /** Also while typing in a field. */
  inFields?: boolean;
}

interface Layer {
  title: string;
  shortcuts: readonly Shortcut[];
}

/** Those of the page come after those of the app, and win. */
const layers: Layer[] = [];
const SEQUENCE_MS = 1_200;
let pressed: { key: string; at: number } | null = null;

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
    if (layers.length === 0) window.addEventListener('keydown', onKey);
    if (everywhere) layers.unshift(mine);
    else layers.push(mine);
    return () => {
      layers.splice(layers.indexOf(mine), 1);
      if (layers.length === 0) window.removeEventListener('keydown', onKey);
    };
  }, [everywhere]);
}

function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.isComposing || event.altKey) return;
  const name = nameOf(event);
  const sequence = pressed && event.timeStamp - pressed.at < SEQUENCE_MS ? `${pressed.key} ${name}` : null;
  if (name.startsWith('Arrow') && isScroller(event.target)) return;
  const inField = isField(event.target);
  pressed = inField || event.repeat ? null : { key: name, at: event.timeStamp };
  const hit = find(sequence, inField) ?? find(name, inField);
  if (!hit) return;
  pressed = null;
  event.preventDefault();
  hit.run?.(event);
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return event.ctrlKey || event.metaKey ? `mod+${key}` : key;
}

function find(name: string | null, inField: boolean): Shortcut | undefined {
  if (name === null) return undefined;
  for (const { shortcuts } of [...layers].reverse()) {
    const hit = shortcuts.find(({ keys, run, inFields }) => run && keys.includes(name) && (inFields || !inField));
    if (hit) return hit;
  }
  return undefined;
}

/** A box that scrolls and has the focus: the arrows are its own. */
function isScroller(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.tabIndex === 0 && target.matches('section, pre, [role="region"]');
}

/** In a field the letters are letters, and an open dialog or menu has the keyboard for itself. */
function isField(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return target.closest('input, textarea, select, dialog, [popover], [role="menu"], [contenteditable]') !== null;
}
