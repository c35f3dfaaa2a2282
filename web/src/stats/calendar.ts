import type { Activity } from '../../../src/contract/stats.ts';

export interface CalendarDay {
  day: string;
  messages: number;
  tokens: number;
}

export interface CalendarWeek {
  /** Its Monday. */
  monday: string;
  /** Monday first. null: outside the range. */
  days: Array<CalendarDay | null>;
}

const DAY_MS = 86_400_000;
/** Four years: more wouldn't be readable. */
const MAX_WEEKS = 209;

/** Every day in the range, including days without activity, in weeks. The latest ones if there are too many. */
export function toCalendar(hours: Activity['hours'], { first, last }: { first: string; last: string }): CalendarWeek[] {
  const sums = new Map<string, CalendarDay>();
  for (const { day, messages, tokens } of hours) {
    const sum = sums.get(day) ?? { day, messages: 0, tokens: 0 };
    sums.set(day, { day, messages: sum.messages + messages, tokens: sum.tokens + tokens });
  }
  const weeks: CalendarWeek[] = [];
  for (let at = mondayBefore(last); weeks.length < MAX_WEEKS && at + 6 * DAY_MS >= noon(first); at -= 7 * DAY_MS) {
    const days = Array.from({ length: 7 }, (_, index) => keyOf(at + index * DAY_MS)).map((day) =>
      day < first || day > last ? null : (sums.get(day) ?? { day, messages: 0, tokens: 0 }),
    );
    weeks.unshift({ monday: keyOf(at), days });
  }
  return weeks;
}

export function busiestDay(weeks: readonly CalendarWeek[]): CalendarDay | undefined {
  const days = weeks.flatMap((week) => week.days).filter((day) => day !== null && day.messages > 0) as CalendarDay[];
  return days.reduce<CalendarDay | undefined>(
    (best, day) => (best && best.messages >= day.messages ? best : day),
    undefined,
  );
}

/** Month labels, above the week they start in. */
export function monthStarts(weeks: readonly CalendarWeek[]): Map<string, string> {
  const starts = new Map<string, string>();
  let before = '';
  for (const { monday, days } of weeks) {
    const month = days.find((day) => day !== null)?.day.slice(0, 7) ?? '';
    if (month !== before) starts.set(monday, month);
    before = month;
  }
  return starts;
}

const noon = (day: string) => Date.parse(`${day}T12:00:00Z`);
const keyOf = (at: number) => new Date(at).toISOString().slice(0, 10);

function mondayBefore(day: string): number {
  const at = noon(day);
  return at - ((new Date(at).getUTCDay() + 6) % 7) * DAY_MS;
}
