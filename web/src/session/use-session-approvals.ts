import { useQuery } from '@tanstack/react-query';
import { listApprovals } from '../../../src/contract/routes/approvals.ts';
import { call } from '../api/request.ts';
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
      const { approvals } = await call(listApprovals, { query: { sessionId: id, limit: 500 } });
      return approvals.sort((a, b) => b.createdAt - a.createdAt);
    },
    placeholderData: (before) => before,
  });
}
