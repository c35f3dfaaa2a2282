import type { Approval } from '../../contract/approvals.ts';
import type { Core } from '../core.ts';
import { isRaised } from '../sessions/asks.ts';
import { clip } from '../sessions/clip.ts';
import type { Ask } from './approvals.ts';

/** A call that we hold before its client asks anybody: on the board its session waits for the operator. */
export async function raiseCall(core: Core, ask: Ask): Promise<void> {
  const { sessionId, agentId, toolUseId, toolName, toolInput } = ask;
  const payload = { agentId, toolUseId, toolName, toolInput: clip(toolInput) };
  await core.record({ sessionId, source: 'control', name: 'ask.raised', payload });
}

/** When the approval of such a call is settled, however that comes, its session goes on. */
export function settleRaisedCalls(core: Core, onError: (error: unknown) => void): void {
  core.observe(({ source, name, sessionId, payload }) => {
    const approval = payload.approval as Approval | undefined;
    if (source === 'hook' || !approval?.toolUseId || approval.status === 'pending') return;
    const { toolUseId, agentId } = approval;
    if (!name.startsWith('approval.') || !isRaised(core.live.get(sessionId), toolUseId)) return;
    core.record({ sessionId, source: 'control', name: 'ask.settled', payload: { toolUseId, agentId } }).catch(onError);
  });
}
