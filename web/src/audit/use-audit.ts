import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { listAudit } from '../../../src/contract/routes/audit.ts';
import { call } from '../api/request.ts';

export interface AuditFilter {
  /** An action or a prefix. */
  action?: string | undefined;
  by?: string | undefined;
  sessionId?: string | undefined;
}

const PAGE = 100;

/** The audit log, newest first, as far as it has been scrolled. */
export function useAudit(filter: AuditFilter) {
  return useInfiniteQuery({
    queryKey: ['audit', filter],
    queryFn: ({ pageParam, signal }) =>
      call(listAudit, {
        query: { ...filter, order: 'newest', limit: PAGE, before: pageParam ?? undefined },
        signal,
      }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.nextBefore,
    placeholderData: keepPreviousData,
  });
}
