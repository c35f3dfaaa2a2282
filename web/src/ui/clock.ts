import { useCallback, useSyncExternalStore } from 'react';

/** One timer for every duration on the page, running only while one is shown. */
function createClock() {
  const listeners = new Set<() => void>();
  let now = Date.now();
  let timer: ReturnType<typeof setInterval> | undefined;

  const tick = () => {
    now = Date.now();
    for (const listener of listeners) listener();
  };

  return {
    now: () => now,
    subscribe(listener: () => void) {
      if (listeners.size === 0) {
        now = Date.now();
        timer = setInterval(tick, 1000);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearInterval(timer);
      };
    },
  };
}

export const clock = createClock();

/** Rerenders only when the result changes, not on every tick. */
export function useClock<T extends string | number | boolean>(read: (now: number) => T): T {
  const snapshot = useCallback(() => read(clock.now()), [read]);
  return useSyncExternalStore(clock.subscribe, snapshot, snapshot);
}
