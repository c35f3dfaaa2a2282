import { createContext, useCallback, useContext, useSyncExternalStore } from 'react';

/** What the reader expanded. Kept outside the rows, which are rebuilt when they scroll out of view and back. */
export interface ExpandedParts {
  get(key: string): boolean | undefined;
  set(key: string, open: boolean): void;
  subscribe(listener: () => void): () => void;
}

export function createExpandedParts(): ExpandedParts {
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

const FoldsContext = createContext<ExpandedParts>(createExpandedParts());
export const ExpandedPartsProvider = FoldsContext.Provider;

export function useExpanded(key: string, { initially = false } = {}): [boolean, () => void] {
  const expanded = useContext(FoldsContext);
  const isOpen = useCallback(() => expanded.get(key) ?? initially, [expanded, key, initially]);
  const open = useSyncExternalStore(expanded.subscribe, isOpen);
  return [open, () => expanded.set(key, !open)];
}

/** Expands a part of a message completely. */
export function expand(expanded: ExpandedParts, messageId: string, part: number): void {
  for (const suffix of ['', '/long', '/all']) expanded.set(`${messageId}/${part}${suffix}`, true);
}
