import { useQuery } from '@tanstack/react-query';
import type { Approval } from '../../../src/contract/approvals.ts';
import { getApproval } from '../../../src/contract/routes/approvals.ts';
import { call } from '../api/request.ts';
import { isCut } from './is-cut.ts';

interface Full {
  approval: Approval;
  /** What is shown is cut, and the whole has not come yet. */
  partial: boolean;
}

/** With the whole of its input: the stream cuts what is long. */
export function useFullApproval(approval: Approval): Full {
  const cut = isCut(approval.toolInput);
  const { data } = useQuery({
    queryKey: ['approval', approval.id],
    queryFn: ({ signal }) => call(getApproval, { params: { id: approval.id }, signal }),
    enabled: cut,
    // what was asked does not change
    staleTime: Number.POSITIVE_INFINITY,
    // but it is long, and of no use once it is settled
    gcTime: 30_000,
  });
  if (!cut) return { approval, partial: false };
  return data ? { approval: { ...approval, toolInput: data.toolInput }, partial: false } : { approval, partial: true };
}
