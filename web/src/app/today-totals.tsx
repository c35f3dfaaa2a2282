import { Link } from '@tanstack/react-router';
import { useToday } from '../live/live.ts';
import { formatTokens, formatUsd } from '../ui/format.ts';

export function TodayTotals() {
  const { costUsd, tokens } = useToday();
  if (costUsd === null && tokens === null) return null;
  return (
    <Link to="/stats" className="today-totals">
      <span className="text-ink-3">Today</span>
      <span className="font-semibold text-ink tabular-nums">{costUsd === null ? 'unknown' : formatUsd(costUsd)}</span>
      <span className="text-ink-3 tabular-nums">{tokens === null ? '' : `${formatTokens(tokens)} tokens`}</span>
    </Link>
  );
}
