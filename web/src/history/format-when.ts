import { formatDate, formatDay, formatFullDate, formatTime } from '../ui/dates.ts';

const WEEK_MS = 7 * 86_400_000;

/** Coarser the longer ago: the time today, the weekday this week, then the date. */
export function formatWhen(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  if (isToday) return formatTime(at);
  if (now - at < WEEK_MS && at <= now) return `${formatDay(at)}, ${formatTime(at)}`;
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? formatDay(at) : formatDate(at);
}

export function formatExactly(at: number): string {
  return formatFullDate(at);
}
