import { useQuery } from '@tanstack/react-query';
import { listApprovals } from '../../../src/contract/routes/approvals.ts';
import { call } from '../api/request.ts';
import { useApprovalsOf } from '../live/live.ts';

/** What this session has asked, the newest first. */
export function useSessionApprovals(id: string) {
  // one that is asked or answered now changes the key, and so the list is asked for again
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
