import { ApprovalAlreadySettled } from './already-settled.ts';
import type { Approvals } from './approvals.ts';

/** Denies everything a session is waiting for and ends the waiting turns. Returns how many there were. */
export async function cancelHeld(
  approvals: Approvals,
  sessionId: string,
  { message, by }: { message: string; by: string },
): Promise<number> {
  const held = [...approvals.pending()].filter((approval) => approval.sessionId === sessionId);
  const refused = await Promise.all(
    held.map(({ id }) =>
      approvals.decide(id, { decision: 'deny', message, interrupt: true }, by).catch((error: unknown) => {
        // Someone else was faster, so it is no longer held.
        if (!(error instanceof ApprovalAlreadySettled)) throw error;
      }),
    ),
  );
  return refused.filter(Boolean).length;
}
