import { useSyncExternalStore } from 'react';

/** The styles' breakpoint for phones. */
const QUERY = '(max-width: 760px)';

export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, () => matchMedia(QUERY).matches);
}

function subscribe(listener: () => void): () => void {
  const query = matchMedia(QUERY);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
