import type { Approval } from '../../../../src/contract/approvals.ts';

/** An approval for tests: override what the test is about. */
export function anApproval(id: string, over: Partial<Approval> = {}): Approval {
  return {
    id,
    origin: 'hook',
    correlationId: id,
    sessionId: 's1',
    kind: 'permission',
    toolName: 'Bash',
    toolInput: { command: 'ls' },
    status: 'pending',
    createdAt: 1_000,
    ...over,
  };
}
