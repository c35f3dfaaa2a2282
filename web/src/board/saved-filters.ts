import { useSyncExternalStore } from 'react';

const KEY = 'groundcontrol.filters';

export interface SavedFilter {
  name: string;
  filter: string;
}

const listeners = new Set<() => void>();
let known: { text: string | null; filters: readonly SavedFilter[] } = { text: null, filters: [] };

function read(): readonly SavedFilter[] {
  const text = localStorage.getItem(KEY);
  if (text !== known.text) known = { text, filters: parse(text) };
  return known.filters;
}

/** Whatever another version of this page stored must not keep the board from opening. */
function parse(text: string | null): SavedFilter[] {
  try {
    const parsed: unknown = JSON.parse(text ?? '[]');
    return Array.isArray(parsed) ? parsed.filter(isSavedFilter) : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

function isSavedFilter(value: Partial<Record<keyof SavedFilter, unknown>> | null): value is SavedFilter {
  return typeof value?.name === 'string' && typeof value.filter === 'string';
}

function write(filters: readonly SavedFilter[]) {
  localStorage.setItem(KEY, JSON.stringify(filters));
  for (const listener of listeners) listener();
}

/** By name: saving under an existing name replaces it. */
export function saveFilter(filter: SavedFilter) {
  write([...read().filter(({ name }) => name !== filter.name), filter]);
}

export function removeFilter(name: string) {
  write(read().filter((one) => one.name !== name));
}

export function useSavedFilters(): readonly SavedFilter[] {
  return useSyncExternalStore(subscribe, read);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // Another tab saved one.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}
