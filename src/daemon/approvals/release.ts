import type { Approval } from '../../contract/approvals.ts';
import { DomainError } from '../errors.ts';
import { ApprovalAlreadySettled } from './already-settled.ts';
import type { Approvals } from './approvals.ts';
import { CONSEQUENCES } from './hold-time.ts';

/** The operator returns a request undecided: its client continues as if nobody had held it. The first answer still wins. */
export async function releaseApproval(approvals: Approvals, id: string, by: string): Promise<Approval> {
  const approval = approvals.get(id);
  if (approval.status !== 'pending' || approval.held) throw new ApprovalAlreadySettled(approval);
  if (approval.origin !== 'hook') {
    throw new DomainError(
      'approval.not_releasable',
      409,
      "This request came through the API, so it can't be returned to a terminal. Allow it or deny it.",
    );
  }
  const why = `Returned undecided. ${CONSEQUENCES[approval.releaseTo ?? 'terminal']}`;
  const closed = await approvals.close(id, 'released', { by, why });
  if (closed?.status !== 'released' || closed.closedBy !== by) throw new ApprovalAlreadySettled(closed ?? approval);
  return closed;
}
