import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Activity, Stats, StatsBy } from '../../../src/contract/stats.ts';
import { getJson } from '../api/request.ts';
import type { Range } from './range.ts';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useStats(by: StatsBy, range: Range) {
  return useQuery({
    queryKey: ['stats', by, range],
    queryFn: ({ signal }) =>
      getJson<Stats>(`/api/stats?${new URLSearchParams({ by, timeZone, ...range })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

export function useActivity(range: Range) {
  return useQuery({
    queryKey: ['stats', 'activity', range],
    queryFn: ({ signal }) =>
      getJson<Activity>(`/api/stats/activity?${new URLSearchParams({ timeZone, ...range })}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}
