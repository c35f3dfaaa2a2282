export type Period = 'day' | 'week' | 'month';

const DAY_MS = 86_400_000;

/** Every period in the range, including empty ones: a gap in a chart must look like one. */
export function fillPeriods(by: Period, first: string, last: string): string[] {
  const keys: string[] = [];
  let key = first;
  // An invalid key must not loop forever.
  while (key <= last && keys.length < 4000) {
    keys.push(key);
    key = nextPeriod(by, key);
  }
  return keys;
}

function nextPeriod(by: Period, key: string): string {
  if (by === 'day') return dayKey(Date.parse(`${key}T12:00:00Z`) + DAY_MS);
  if (by === 'week') return weekKey(mondayOf(key) + 7 * DAY_MS);
  const [year = 0, month = 0] = key.split('-').map(Number);
  return month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, '0')}`;
}

const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });
const SHORT_DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const MONTH = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });
const SHORT_MONTH = new Intl.DateTimeFormat(undefined, { month: 'short', year: '2-digit', timeZone: 'UTC' });

export function periodLabel(by: Period, key: string): string {
  if (by === 'day') return DAY.format(Date.parse(`${key}T12:00:00Z`));
  if (by === 'week') return `Week ${Number(key.slice(6))}, from ${SHORT_DAY.format(mondayOf(key))}`;
  return MONTH.format(Date.parse(`${key}-15T12:00:00Z`));
}

/** Axis label. */
export function shortPeriodLabel(by: Period, key: string): string {
  if (by === 'day') return SHORT_DAY.format(Date.parse(`${key}T12:00:00Z`));
  if (by === 'week') return `W${Number(key.slice(6))}`;
  return SHORT_MONTH.format(Date.parse(`${key}-15T12:00:00Z`));
}

/** Noon on the Monday of a week such as 2026-W47. */
function mondayOf(key: string): number {
  const [year = '0', week = '1'] = key.split('-W');
  const fourth = Date.parse(`${year}-01-04T12:00:00Z`);
  const firstMonday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS;
  return firstMonday + (Number(week) - 1) * 7 * DAY_MS;
}

function weekKey(monday: number): string {
  const thursday = new Date(monday + 3 * DAY_MS);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / (7 * DAY_MS)) + 1;
  return `${year}-W${String(week).padStart(2, '0')}`;
}

function dayKey(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
