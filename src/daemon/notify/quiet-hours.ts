import type { QuietHours } from '../../contract/notify.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

/** When the quiet hours that apply at `now` end; undefined: none apply. */
export function quietUntil(hours: QuietHours | null, now: number): number | undefined {
  if (!hours || hours.from === hours.to) return undefined;
  const minute = minuteOfDay(now, hours.timeZone);
  const from = minutesOf(hours.from);
  const to = minutesOf(hours.to);
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return undefined;
  const left = (to - minute + DAY_MINUTES) % DAY_MINUTES;
  // rounded to the minute; after a clock change, the due time is checked again
  return Math.floor(now / MINUTE_MS) * MINUTE_MS + left * MINUTE_MS;
}

function minuteOfDay(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  return minutesOf(format.format(at));
}

function minutesOf(clock: string): number {
  const [hours = 0, minutes = 0] = clock.split(':').map(Number);
  return hours * 60 + minutes;
}
