import { useSyncExternalStore } from 'react';

/** What to notify about. Kept per browser, because phone and desktop differ. */
export const NOTIFY_KINDS = {
  needs_permission: 'An agent needs permission',
  awaiting_input: 'An agent asks a question',
  awaiting_approval: 'A plan is ready for review',
  error: 'A session fails',
  other: 'A session goes idle',
} as const;
export type NotifyKind = keyof typeof NOTIFY_KINDS;

export interface NotifyPreferences {
  enabled: boolean;
  kinds: Record<NotifyKind, boolean>;
}

const KEY = 'groundcontrol.notifications';
const DEFAULTS: NotifyPreferences = {
  enabled: false,
  kinds: { needs_permission: true, awaiting_input: true, awaiting_approval: true, error: true, other: false },
};

const listeners = new Set<() => void>();
let current = read();

function read(): NotifyPreferences {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<NotifyPreferences>;
    return { enabled: saved.enabled === true, kinds: { ...DEFAULTS.kinds, ...saved.kinds } };
  } catch (error) {
    // Someone edited it by hand.
    if (error instanceof SyntaxError) return DEFAULTS;
    throw error;
  }
}

export function notifyPreferences(): NotifyPreferences {
  return current;
}

export function saveNotifyPreferences(next: NotifyPreferences) {
  current = next;
  localStorage.setItem(KEY, JSON.stringify(next));
  for (const listener of listeners) listener();
}

export function useNotifyPreferences(): NotifyPreferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, notifyPreferences);
}

export function kindOf(state: string): NotifyKind {
  return state !== 'other' && Object.hasOwn(NOTIFY_KINDS, state) ? (state as NotifyKind) : 'other';
}
