import type { Core } from '../core.ts';
import type { Approvals } from './approvals.ts';

/** Cancels the requests of a program or runner when its session ends. Requests from hooks are settled by their session's later events. */
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
