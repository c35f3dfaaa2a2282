import { Timer } from 'lucide-react';
import { useCallback } from 'react';
import { useClock } from '../../ui/clock.ts';
import { formatDuration } from '../../ui/format.ts';

/** How long the requester still waits, and what happens then. */
export function TimeoutCountdown({ until }: { until: number }) {
  const left = useClock(useCallback((now: number) => formatDuration(until - now), [until]));
  const soon = useClock(useCallback((now: number) => until - now < 15_000, [until]));
  return (
    <p role="timer" data-tone={soon ? 'red' : 'gray'} className="flex items-center gap-1.5 text-tone tabular-nums">
      <Timer aria-hidden size={14} className="shrink-0" />
      Denied in {left} if nobody answers
    </p>
  );
}
