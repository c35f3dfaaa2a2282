import type { Activity } from '../../../src/contract/stats.ts';

export interface WeekHour {
  messages: number;
  tokens: number;
}

/** Sums the days into one week: Monday first, 24 hours each. */
export function toWeek(hours: Activity['hours']): WeekHour[][] {
  const week = Array.from({ length: 7 }, () => Array.from({ length: 24 }, () => ({ messages: 0, tokens: 0 })));
  for (const { day, hour, messages, tokens } of hours) {
    const cell = week[(new Date(`${day}T12:00:00Z`).getUTCDay() + 6) % 7]?.[hour];
    if (!cell) continue;
    cell.messages += messages;
    cell.tokens += tokens;
  }
  return week;
}

export function busiest(week: WeekHour[][]): (WeekHour & { day: number; hour: number }) | undefined {
  const all = week.flatMap((hours, day) => hours.map((cell, hour) => ({ ...cell, day, hour })));
  const top = all.reduce((best, cell) => (cell.messages > best.messages ? cell : best));
  return top.messages > 0 ? top : undefined;
}
