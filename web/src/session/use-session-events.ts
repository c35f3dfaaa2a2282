import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef } from 'react';
import { listSessionEvents } from '../../../src/contract/routes/sessions.ts';
import type { SessionEvents } from '../../../src/contract/sessions.ts';
import { ApiError, call } from '../api/request.ts';
import type { SessionFacts } from './use-session-facts.ts';

const EMPTY: SessionEvents = { events: [], nextAfter: null, nextBefore: null };
const REFRESH_MS = 3_000;

/** Its events, newest first, kept up to date while visible. */
export function useSessionEvents({ id, session, isLive }: SessionFacts, options: { brief: boolean; limit: number }) {
  const query = useInfiniteQuery({
    queryKey: ['events', id, options],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam }) =>
      call(listSessionEvents, {
        params: { id },
        query: {
          limit: options.limit,
          brief: String(options.brief),
          ...(pageParam === null ? { from: 'end' } : { before: pageParam }),
        },
      }).catch(noneIfUnknown),
    getNextPageParam: (page) => page.nextBefore,
  });
  const { refetch } = query;
  const seq = session?.seq;
  const asked = useRef(0);
  // Poll a busy session no more often than a quiet one.
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when the session has moved on
  useEffect(() => {
    if (!isLive) return;
    asked.current ||= Date.now();
    const timer = setTimeout(
      () => {
        asked.current = Date.now();
        void refetch();
      },
      Math.max(0, asked.current + REFRESH_MS - Date.now()),
    );
    return () => clearTimeout(timer);
  }, [isLive, refetch, seq]);
  const events = useMemo(() => (query.data?.pages ?? []).toReversed().flatMap((page) => page.events), [query.data]);
  return {
    events,
    error: query.error,
    isPending: query.isPending,
    hasEarlier: query.hasNextPage,
    isFetchingEarlier: query.isFetchingNextPage,
    loadEarlier: () => void query.fetchNextPage(),
    retry: () => void refetch(),
  };
}

/** A session without hooks has no events. */
function noneIfUnknown(error: unknown): SessionEvents {
  if (error instanceof ApiError && error.status === 404) return EMPTY;
  throw error;
}
