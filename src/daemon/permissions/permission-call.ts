import type { ApprovalKind } from '../../contract/approvals.ts';

/** What an agent wants to do, no matter how it asks. */
export interface PermissionCall {
  sessionId: string;
  agentId?: string | undefined;
  kind: ApprovalKind;
  toolName: string;
  toolInput: Record<string, unknown>;
  /** Default: the session's own. */
  cwd?: string | undefined;
}
