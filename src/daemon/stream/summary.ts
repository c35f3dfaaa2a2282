import { columnOf } from '../../contract/groups.ts';
import type { LiveSession } from '../../contract/sessions.ts';
import type { Summary } from '../../contract/stream.ts';

export function summaryOf(
  sessions: LiveSession[],
  today: { costUsd: number | null; tokens: number | null },
): Omit<Summary, 'reset'> {
  const counts = { needs_you: 0, autonomous: 0, delivered: 0 };
  for (const session of sessions) counts[columnOf(session)]++;
  return {
    needsYouCount: counts.needs_you,
    autonomousCount: counts.autonomous,
    deliveredCount: counts.delivered,
    totalCostTodayUsd: today.costUsd,
    totalTokensToday: today.tokens,
  };
}
