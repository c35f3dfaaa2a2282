import { useCallback, useSyncExternalStore } from 'react';

/** Survives a reload of the tab, but nothing more. */
const PREFIX = 'groundcontrol.draft.';
/** A pasted log is kept in memory only, since the tab's storage is small. */
const MAX_STORED = 100_000;

/** The operator's unfinished texts, by purpose: the card around one may move or be rebuilt. */
export interface Drafts {
  get<T>(key: string): T | undefined;
  set(key: string, value: unknown): void;
  drop(key: string): void;
  subscribe(listener: () => void): () => void;
}

export function createDrafts(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null): Drafts {
  const values = new Map<string, unknown>();
  const listeners = new Set<() => void>();

  function change(key: string, value: unknown) {
    values.set(key, value);
    for (const listener of listeners) listener();
  }

  return {
    get<T>(key: string) {
      if (!values.has(key)) values.set(key, readStored(storage, key));
      return values.get(key) as T | undefined;
    },
    set(key, value) {
      const text = JSON.stringify(value);
      if (text.length <= MAX_STORED) store(storage, key, text);
      else storage?.removeItem(PREFIX + key);
      change(key, value);
    },
    drop(key) {
      storage?.removeItem(PREFIX + key);
      change(key, undefined);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function readStored(storage: Pick<Storage, 'getItem'> | null, key: string): unknown {
  const text = storage?.getItem(PREFIX + key);
  return text ? JSON.parse(text) : undefined;
}

function store(storage: Pick<Storage, 'setItem'> | null, key: string, text: string) {
  try {
    storage?.setItem(PREFIX + key, text);
  } catch (error) {
    // Storage is full: the draft stays in memory.
    if (!(error instanceof DOMException)) throw error;
  }
}

export const drafts = createDrafts(typeof sessionStorage === 'undefined' ? null : sessionStorage);

export function useDraft<T>(key: string, initial: T): [T, (value: T) => void, () => void] {
  const value = useSyncExternalStore(drafts.subscribe, () => drafts.get<T>(key));
  const set = useCallback((next: T) => drafts.set(key, next), [key]);
  const drop = useCallback(() => drafts.drop(key), [key]);
  return [value ?? initial, set, drop];
}
