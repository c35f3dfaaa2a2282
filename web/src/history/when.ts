const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'short' });
const WEEK_MS = 7 * 86_400_000;

/** Shorter, the longer ago: the time today, the weekday this week, then the date. */
export function formatWhen(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString();
  if (isToday) return TIME.format(at);
  if (now - at < WEEK_MS && at <= now) return `${DAY.format(at)}, ${TIME.format(at)}`;
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? DAY.format(at) : DATE.format(at);
}

export function formatExactly(at: number): string {
  return FULL.format(at);
}
