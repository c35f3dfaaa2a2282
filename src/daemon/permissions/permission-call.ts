import type { Approval, ApprovalKind } from '../../contract/approvals.ts';

/** What an agent wants to do, no matter how it asks. */
export interface PermissionCall {
  origin: Approval['origin'];
  sessionId: string;
  agentId?: string | undefined;
  kind: ApprovalKind;
  toolUseId?: string | undefined;
  toolName: string;
  toolInput: Record<string, unknown>;
  /** Default: the session's own. */
  cwd?: string | undefined;
}
