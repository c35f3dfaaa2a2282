import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { FolderClock, SearchX } from 'lucide-react';
import { listHistory, search } from '../../../src/contract/routes/history.ts';
import { call, messageOf } from '../api/request.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { HitRow } from './hit-row.tsx';
import { QuerySummary } from './query-summary.tsx';
import { SessionRow } from './session-row.tsx';

/** The error the box already shows for what was typed. */
export const isBadQuery = (error: unknown) => (error as { code?: string } | null)?.code === 'search.bad_query';

export function useHits(q: string, { enabled }: { enabled: boolean }) {
  return useInfiniteQuery({
    queryKey: ['search', q],
    queryFn: ({ pageParam, signal }) => call(search, { query: { q, offset: pageParam, limit: 20 }, signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
    placeholderData: keepPreviousData,
    enabled,
  });
}

export function useSessions(q: string, sort: 'recent' | 'cost' | 'tokens', { enabled }: { enabled: boolean }) {
  return useInfiniteQuery({
    queryKey: ['history', q, sort],
    queryFn: ({ pageParam, signal }) => call(listHistory, { query: { q, sort, offset: pageParam, limit: 40 }, signal }),
    initialPageParam: 0,
    getNextPageParam: (page) => page.nextOffset,
    placeholderData: keepPreviousData,
    enabled,
  });
}

export function HitList({ query }: { query: ReturnType<typeof useHits> }) {
  const { data, error, isPending, refetch } = query;
  if (error && !data)
    return isBadQuery(error) ? null : <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton lines={8} what="results" />;
  const hits = data.pages.flatMap((page) => page.hits);
  const [page] = data.pages;
  const now = Date.now();
  if (hits.length === 0)
    return (
      <>
        {page && <QuerySummary page={page} />}
        <Empty icon={SearchX} title="No results">
          <p>Try fewer words, or just the start of a word. All words must be in the same message.</p>
        </Empty>
      </>
    );
  return (
    <>
      {page && <QuerySummary page={page} />}
      <ol aria-label="Messages" aria-busy={query.isPlaceholderData} className="results">
        {hits.map((hit, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a message can be found in several of its parts
          <HitRow key={`${hit.sessionId} ${hit.messageId} ${hit.kind} ${index}`} hit={hit} now={now} />
        ))}
      </ol>
      <More query={query} />
    </>
  );
}

export function SessionList({ query, isFiltered }: { query: ReturnType<typeof useSessions>; isFiltered: boolean }) {
  const { data, error, isPending, refetch } = query;
  if (error && !data)
    return isBadQuery(error) ? null : <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton lines={8} what="sessions" />;
  const sessions = data.pages.flatMap((page) => page.sessions);
  const now = Date.now();
  if (sessions.length === 0)
    return isFiltered ? (
      <Empty icon={SearchX} title="No matching sessions">
        <p>Remove a filter, or search messages instead.</p>
      </Empty>
    ) : (
      <Empty icon={FolderClock} title="No sessions yet">
        <p>Every Claude Code session on this machine appears here, including those from before Ground Control.</p>
      </Empty>
    );
  return (
    <>
      <ol aria-label="Sessions" aria-busy={query.isPlaceholderData} className="results panel">
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} now={now} />
        ))}
      </ol>
      <More query={query} />
    </>
  );
}

interface Paged {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

function More({ query: { hasNextPage, isFetchingNextPage, fetchNextPage } }: { query: Paged }) {
  if (!hasNextPage) return null;
  return (
    <p className="flex justify-center pt-4">
      <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </button>
    </p>
  );
}
