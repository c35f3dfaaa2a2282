import type { Approval } from '../../../contract/approvals.ts';
import { iso } from './iso.ts';

/** An approval for the documents' page: flat in one place and under `data` in another. */
export function toApprovalRequest(approval: Approval) {
  const { id, correlationId, sessionId, toolName, toolInput, timeoutSeconds, createdAt } = approval;
  const request = {
    request_id: id,
    correlation_id: correlationId,
    session_id: sessionId,
    tool_name: toolName,
    tool_input: toolInput,
    created_at: iso(createdAt),
  };
  return {
    ...request,
    // a request that waits as long as its dialog has none
    timeout: timeoutSeconds ?? null,
    data: { ...request, status: 'pending', decision: null, decided_at: null },
  };
}
