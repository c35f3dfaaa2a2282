import { ApprovalAlreadySettled, type Approvals } from './approvals.ts';

/** Refuses all that a session waits with, and ends the turns that wait. How many there were. */
export async function cancelHeld(
  approvals: Approvals,
  sessionId: string,
  { message, by }: { message: string; by: string },
): Promise<number> {
  const held = [...approvals.pending()].filter((approval) => approval.sessionId === sessionId);
  const refused = await Promise.all(
    held.map(({ id }) =>
      approvals.decide(id, { decision: 'deny', message, interrupt: true }, by).catch((error: unknown) => {
        // somebody was faster: then it is no longer held
        if (!(error instanceof ApprovalAlreadySettled)) throw error;
      }),
    ),
  );
  return refused.filter(Boolean).length;
}
