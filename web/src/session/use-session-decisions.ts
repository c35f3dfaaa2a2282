import { useQuery } from '@tanstack/react-query';
import type { SessionDecisions } from '../../../src/contract/decisions.ts';
import { getJson } from '../api/request.ts';

const WORKING_MS = 5_000;

/** What rules and people decided about this session's calls. Rules decide without a word on the stream. */
export function useSessionDecisions(id: string, { isLive }: { isLive: boolean }) {
  return useQuery({
    queryKey: ['decisions', id],
    queryFn: () => getJson<SessionDecisions>(`/api/sessions/${encodeURIComponent(id)}/decisions`),
    refetchInterval: isLive ? WORKING_MS : false,
    placeholderData: (before) => before,
  });
}
