import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { IndexStatus } from '../../../src/contract/history.ts';
import { getIndexStatus } from '../../../src/contract/routes/history.ts';
import { call } from '../api/request.ts';

const POLL_MS = 700;

/** Indexing progress. When it is done, queries made meanwhile are refetched. */
export function useIndexStatus(): IndexStatus | undefined {
  const queries = useQueryClient();
  const { data } = useQuery({
    queryKey: ['index-status'],
    queryFn: ({ signal }) => call(getIndexStatus, { signal }),
    refetchInterval: ({ state }) => (state.data?.phase === 'idle' ? 30_000 : POLL_MS),
  });
  const before = useRef(data?.phase);
  useEffect(() => {
    if (data?.phase === 'idle' && before.current !== undefined && before.current !== 'idle')
      for (const key of ['history', 'search', 'stats']) void queries.invalidateQueries({ queryKey: [key] });
    before.current = data?.phase;
  }, [data?.phase, queries]);
  return data;
}
