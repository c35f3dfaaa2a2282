import { useQuery } from '@tanstack/react-query';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { getApproval } from '../../../../src/contract/routes/approvals.ts';
import { call } from '../../api/request.ts';
import { isTruncated } from '../request/is-truncated.ts';

interface Full {
  approval: Approval;
  /** Truncated, and the full version hasn't arrived. */
  partial: boolean;
}

/** Loads the full input, which the stream truncates. */
export function useFullApproval(approval: Approval): Full {
  const cut = isTruncated(approval.toolInput);
  const { data } = useQuery({
    queryKey: ['approval', approval.id],
    queryFn: ({ signal }) => call(getApproval, { params: { id: approval.id }, signal }),
    enabled: cut,
    // A request never changes,
    staleTime: Number.POSITIVE_INFINITY,
    // but it is long, and useless once settled.
    gcTime: 30_000,
  });
  if (!cut) return { approval, partial: false };
  return data ? { approval: { ...approval, toolInput: data.toolInput }, partial: false } : { approval, partial: true };
}
