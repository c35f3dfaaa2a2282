import { LoaderCircle } from 'lucide-react';
import { useCallback } from 'react';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { useLive, useUndelivered } from '../../live/live.ts';
import { Elapsed } from '../../sessions/elapsed.tsx';
import { useClock } from '../../ui/clock.ts';
import { clipLine } from '../../ui/format.ts';
import { lineOf } from '../request/describe-request.ts';

/** Most decisions arrive within milliseconds and don't need a note. */
const GRACE_MS = 1_500;

/** Shows decisions that haven't reached the asker yet: of one session, or all of them. */
export function UndeliveredDecisions({ sessionId }: { sessionId?: string }) {
  return useUndelivered()
    .filter((approval) => sessionId === undefined || approval.sessionId === sessionId)
    .map((approval) => <UndeliveredDecision key={approval.id} approval={approval} />);
}

function UndeliveredDecision({ approval }: { approval: Approval }) {
  const { store } = useLive();
  const { sessionId, origin, decision, settledAt = 0 } = approval;
  const isLate = useClock(useCallback((now: number) => now - settledAt >= GRACE_MS, [settledAt]));
  if (!isLate) return null;
  const asker = origin === 'api' ? 'the program that asked' : 'the terminal';
  return (
    <div role="status" data-tone="gray" data-delivery={approval.id} className="notice above flex items-start gap-2">
      <LoaderCircle aria-hidden size={15} className="mt-0.5 shrink-0 text-ink-3" />
      <p className="min-w-0">
        <span className="font-semibold">
          {decision?.decision === 'deny' ? 'Denied' : 'Allowed'}, not delivered yet.
        </span>{' '}
        Waiting for {asker} to confirm it
        {decision && (
          <>
            {' '}
            (decided by <bdi>{clipLine(decision.by, 60)}</bdi> {/* read once, not every second */}
            <span aria-live="off">
              <Elapsed since={settledAt} /> ago
            </span>
            )
          </>
        )}
        .<bdi className="block truncate text-ink-3">{lineOf(approval, store.get(sessionId)?.projectPath).text}</bdi>
      </p>
    </div>
  );
}
