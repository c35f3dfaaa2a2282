import { useQuery } from '@tanstack/react-query';
import { countSessionDecisions } from '../../../src/contract/routes/sessions.ts';
import { call } from '../api/request.ts';

const WORKING_MS = 5_000;

/** Decisions by rules and people on this session's calls. Rules decide without a stream message. */
export function useSessionDecisions(id: string, { isLive }: { isLive: boolean }) {
  return useQuery({
    queryKey: ['decisions', id],
    queryFn: () => call(countSessionDecisions, { params: { id } }),
    refetchInterval: isLive ? WORKING_MS : false,
    placeholderData: (before) => before,
  });
}
