import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** What the reader expanded. Kept outside the rows, which are rebuilt when they scroll out of view and back. */
export interface Folds {
  get(key: string): boolean | undefined;
  set(key: string, open: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function createFolds(): Folds {
  const open = new Map<string, boolean>();
  const listeners = new Set<() => void>();
  return {
    get: (key) => open.get(key),
    set(key, value) {
      if (open.get(key) === value) return;
      open.set(key, value);
      for (const listener of listeners) listener();
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

const FoldsContext = createContext<Folds>(createFolds());
export const FoldsProvider = FoldsContext.Provider;

export function useFold(key: string, { initially = false } = {}): [boolean, () => void] {
  const folds = useContext(FoldsContext);
  const isOpen = useCallback(() => folds.get(key) ?? initially, [folds, key, initially]);
  const open = useSyncExternalStore(folds.subscribe, isOpen);
  return [open, () => folds.set(key, !open)];
}

/** Expands a part of a message completely. */
export function unfold(folds: Folds, messageId: string, part: number): void {
  for (const suffix of ['', '/long', '/all']) folds.set(`${messageId}/${part}${suffix}`, true);
}
