import { useQuery } from '@tanstack/react-query';
import type { SessionDecisions } from '../../../src/contract/decisions.ts';
import { getJson } from '../api/request.ts';

const WORKING_MS = 5_000;

/** Decisions by rules and people on this session's calls. Rules decide without a stream message. */
export function useSessionDecisions(id: string, { isLive }: { isLive: boolean }) {
  return useQuery({
    queryKey: ['decisions', id],
    queryFn: () => getJson<SessionDecisions>(`/api/sessions/${encodeURIComponent(id)}/decisions`),
    refetchInterval: isLive ? WORKING_MS : false,
    placeholderData: (before) => before,
  });
}
