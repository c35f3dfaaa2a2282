import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import type { AuditPage } from '../../../src/contract/audit.ts';
import { getJson } from '../api/request.ts';

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
    queryFn: ({ pageParam, signal }) => getJson<AuditPage>(`/api/audit?${addressOf(filter, pageParam)}`, { signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (page) => page.nextBefore,
    placeholderData: keepPreviousData,
  });
}

function addressOf(filter: AuditFilter, before: number | null): URLSearchParams {
  const query = new URLSearchParams({ order: 'newest', limit: String(PAGE) });
  if (before !== null) query.set('before', String(before));
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return query;
}
