import { DomainError } from '../../errors.ts';

const formats = new Map<string, Intl.DateTimeFormat>();

/** The local wall clock. */
export interface LocalTime {
  /** 2026-11-16 */
  day: string;
  hour: number;
}

export function localTime(at: number, timeZone: string): LocalTime {
  const text = formatOf(timeZone).format(at);
  return { day: text.slice(0, 10), hour: Number(text.slice(12, 14)) };
}

/** For many times, most of them again and again. */
export function rememberLocalTimes(timeZone: string): (at: number) => LocalTime {
  const known = new Map<number, LocalTime>();
  return (at) => {
    let found = known.get(at);
    if (!found) {
      found = localTime(at, timeZone);
      known.set(at, found);
    }
    return found;
  };
}

export function localDay(at: number, timeZone: string): string {
  return localTime(at, timeZone).day;
}

/** When a day starts: at midnight, or right after it where the clocks skip midnight. */
export function startOfDay(day: string, timeZone: string): number {
  const wanted = Date.parse(`${day}T00:00:00Z`);
  // the local clock at that moment, read as UTC; twice, since the offset may change in between
  let at = wanted - offsetAt(wanted, timeZone);
  at = wanted - offsetAt(at, timeZone);
  return localDay(at, timeZone) < day ? at + offsetAt(at + DAY_MS / 2, timeZone) - offsetAt(at, timeZone) : at;
}

export function dayAfter(day: string): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** 2026-11-16, 2026-11 or 2026 as its first day. undefined: no such day, or one outside the range time zones support. */
export function parseDay(text: string): string | undefined {
  const [, year, month = '01', day = '01'] = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text) ?? [];
  const time = Date.parse(`${year}-${month}-${day}T00:00:00Z`);
  if (Number.isNaN(time) || Number(year) < 1970 || Number(year) > 2999) return undefined;
  const found = new Date(time).toISOString().slice(0, 10);
  return found === `${year}-${month}-${day}` ? found : undefined;
}

/** 2026-W47: weeks start on Monday, and the first one has the year's first Thursday. */
export function weekOf(day: string): string {
  const date = new Date(`${day}T12:00:00Z`);
  const thursday = new Date(date.getTime() + (3 - ((date.getUTCDay() + 6) % 7)) * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** The first day of a day's week. */
export function firstDayOfWeek(day: string, weekStart: Weekday): string {
  const date = new Date(`${day}T12:00:00Z`);
  const daysBack = (date.getUTCDay() - WEEKDAYS.indexOf(weekStart) + 7) % 7;
  return new Date(date.getTime() - daysBack * DAY_MS).toISOString().slice(0, 10);
}

export function requireTimeZone(timeZone: string | undefined): string {
  if (timeZone === undefined) return Intl.DateTimeFormat().resolvedOptions().timeZone;
  try {
    formatOf(timeZone);
    return timeZone;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new DomainError('stats.bad_time_zone', 400, `Unknown time zone ${timeZone}. Use a name like Europe/Berlin.`);
  }
}

const DAY_MS = 86_400_000;

function offsetAt(at: number, timeZone: string): number {
  const text = formatOf(timeZone).format(at);
  const shown = Date.parse(`${text.slice(0, 10)}T${text.slice(12, 20)}Z`);
  return shown - Math.floor(at / 1000) * 1000;
}

/** Creating one takes a hundred times as long as using it. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });
  if (formats.size < 50) formats.set(timeZone, made);
  return made;
}
