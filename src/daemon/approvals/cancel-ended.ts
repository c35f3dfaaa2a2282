import type { Core } from '../core.ts';
import type { Approvals } from './approvals.ts';

/** A program or runner whose session has ended waits for nothing any more. What hooks ask is settled by what follows in their session. */
export function cancelEnded({
  core,
  approvals,
  onError,
}: {
  core: Core;
  approvals: Approvals;
  onError: (error: unknown) => void;
}): void {
  core.observe(({ sessionId }, change) => {
    if (!change || change.session.endedAt === null) return;
    for (const { id, origin, sessionId: asking } of [...approvals.undecided()]) {
      if (origin !== 'hook' && asking === sessionId) approvals.close(id, 'cancelled').catch(onError);
    }
  });
}
