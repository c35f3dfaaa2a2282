import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getActivity, getStats } from '../../../src/contract/routes/history.ts';
import type { StatsBy } from '../../../src/contract/stats.ts';
import { call } from '../api/request.ts';
import type { Range } from './range.ts';

const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

export function useStats(by: StatsBy, range: Range) {
  return useQuery({
    queryKey: ['stats', by, range],
    queryFn: ({ signal }) => call(getStats, { query: { by, timeZone, ...range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}

export function useActivity(range: Range) {
  return useQuery({
    queryKey: ['stats', 'activity', range],
    queryFn: ({ signal }) => call(getActivity, { query: { timeZone, ...range }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
}
