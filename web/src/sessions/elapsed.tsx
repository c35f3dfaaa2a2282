import { useCallback } from 'react';
import { useClock } from '../ui/clock.ts';
import { formatDuration } from '../ui/format.ts';

export function Elapsed({ since, until = null }: { since: number; until?: number | null }) {
  const read = useCallback((now: number) => formatDuration((until ?? now) - since), [since, until]);
  return <time dateTime={new Date(since).toISOString()}>{useClock(read)}</time>;
}
