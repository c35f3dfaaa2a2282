import { useQuery } from '@tanstack/react-query';
import type { Approval } from '../../../src/contract/approvals.ts';
import { getJson } from '../api/request.ts';
import { useApprovalsOf } from '../live/live.ts';

/** This session's requests, newest first. */
export function useSessionApprovals(id: string) {
  // A new request or answer changes the key, which refetches the list.
  const pending = useApprovalsOf(id)
    .map((approval) => approval.id)
    .join();
  return useQuery({
    queryKey: ['approvals', id, pending],
    queryFn: async () => {
      const { approvals } = await getJson<{ approvals: Approval[] }>(
        `/api/approvals?sessionId=${encodeURIComponent(id)}&limit=500`,
      );
      return approvals.sort((a, b) => b.createdAt - a.createdAt);
    },
    placeholderData: (before) => before,
  });
}
