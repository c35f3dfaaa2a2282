import { useEffect, useState } from 'react';

/** About one screenful, so it appears as soon as possible. */
const FIRST = 10;
const STEP = 10;

/**
 * How many cards of a long column to build. More follow as the end of the list comes near, so a thousand sessions open as fast as ten, and
 * what nobody looks at isn't kept up to date.
 */
export function useGrowingLimit(total: number): {
  limit: number;
  hasGrown: boolean;
  endRef: (end: HTMLElement | null) => void;
} {
  const [limit, setLimit] = useState(FIRST);
  const [end, setEnd] = useState<HTMLElement | null>(null);

  // biome-ignore lint/correctness/useExhaustiveDependencies: an end still in sight after a step is not reported again
  useEffect(() => {
    if (!end) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && setLimit((before) => before + STEP),
      { root: end.closest('[data-scrolls]'), rootMargin: '300px' },
    );
    observer.observe(end);
    return () => observer.disconnect();
  }, [end, limit]);

  return { limit: Math.min(limit, total), hasGrown: limit > FIRST, endRef: setEnd };
}
