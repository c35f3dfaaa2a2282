import type { HookAnswer } from '../../../../contract/hooks.ts';
import type { Approvals } from '../../../approvals/approvals.ts';
import type { AttachedAsker } from '../../../approvals/askers.ts';
import type { Deliveries } from '../../../approvals/deliveries.ts';
import { verdictOf } from '../../../permissions/judge.ts';
import type { ReadHook } from '../intake/read-hook.ts';
import { toHookAnswer } from './hook-answer.ts';
import { toPermissionCall } from './hook-permissions.ts';

export type ResumeAsk = (asker: AttachedAsker, hook: ReadHook, wait: { signal: AbortSignal }) => Promise<HookAnswer>;

/** A hook process reconnects: it keeps waiting for its approval, or takes the decision made meanwhile. `{}`: there is none for it. */
export function createResumeAsk({
  approvals,
  deliveries,
}: {
  approvals: Approvals;
  deliveries: Deliveries;
}): ResumeAsk {
  return async ({ key, pid, approvalId }, { payload }, { signal }) => {
    const call = toPermissionCall(payload);
    await approvals.wait(approvalId, { signal });
    const approval = approvals.get(approvalId);
    // One that was delivered, or given up on, isn't handed out again.
    if (!call || signal.aborted || approval.delivery?.state !== 'pending') return {};
    deliveries.sent(approvalId, { asker: { key, pid } });
    return toHookAnswer(payload, call, verdictOf(approval)) ?? {};
  };
}
