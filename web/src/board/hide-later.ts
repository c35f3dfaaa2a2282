import { useSyncExternalStore } from 'react';
import { deleteSession } from '../../../src/contract/routes/sessions.ts';
import { call, messageOf } from '../api/request.ts';
import { toast } from '../ui/toasts.tsx';

/** As long as the toast is on screen. */
const UNDO_MS = 6_000;

const waiting = new Map<string, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();
let hidden: ReadonlySet<string> = new Set();

function tell() {
  hidden = new Set(waiting.keys());
  for (const listener of listeners) listener();
}

const send = (id: string, options: { keepalive?: boolean } = {}) => call(deleteSession, { params: { id }, ...options });

/** Hides a session here right away, and everywhere once it can no longer be undone. */
export function hideLater(id: string): void {
  if (waiting.has(id)) return;
  const timer = setTimeout(() => {
    send(id)
      .catch((error: unknown) => toast({ tone: 'red', text: `Not hidden. ${messageOf(error)}` }))
      .finally(() => {
        waiting.delete(id);
        tell();
      });
  }, UNDO_MS);
  waiting.set(id, timer);
  tell();
  toast({
    text: "Hidden until there's new activity.",
    ms: UNDO_MS - 500,
    action: { label: 'Undo', run: () => undoHide(id) },
  });
}

function undoHide(id: string): void {
  clearTimeout(waiting.get(id));
  waiting.delete(id);
  tell();
}

/** The page is closing: keep what the operator hid hidden. */
export function hideNow(): void {
  for (const [id, timer] of waiting) {
    clearTimeout(timer);
    // Nobody is left to report a failure to.
    send(id, { keepalive: true }).catch(() => undefined);
  }
}

export const hiding = {
  ids: () => hidden,
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useHiding(): ReadonlySet<string> {
  return useSyncExternalStore(hiding.subscribe, hiding.ids);
}
