import type { Approval } from '../../contract/approvals.ts';
import { DomainError } from '../errors.ts';
import { clip } from '../sessions/clip.ts';

/** Large edits are truncated in lists and streams; the operator decides on the full one. */
const STREAM_STRING = 20_000;

export class ApprovalAlreadySettled extends DomainError {
  constructor(approval: Approval) {
    const decision = approval.decision ?? approval.held;
    const how = decision ? `${decision.decision} by ${decision.by}` : approval.status.replaceAll('_', ' ');
    super('approval.already_decided', 409, `Too late: this was already settled (${how}).`, {
      approval: forStream(approval),
    });
  }
}

export function forStream(approval: Approval): Approval {
  return {
    ...approval,
    toolInput: clip(approval.toolInput, { string: STREAM_STRING, items: 200, depth: 12 }) as Record<string, unknown>,
  };
}
