import { Timer, Undo2 } from 'lucide-react';
import { useCallback, useState } from 'react';
import type { Approval, ReleaseTo } from '../../../../src/contract/approvals.ts';
import { releaseApproval } from '../../../../src/contract/routes/approvals.ts';
import { call, messageOf } from '../../api/request.ts';
import { useLive } from '../../live/live.ts';
import { useClock } from '../../ui/clock.ts';
import { formatDuration } from '../../ui/format.ts';

/** For a request only this page shows: how long it is held, what happens then, and a button to return it now. */
export function ReleaseCountdown({ approval, disabled }: { approval: Approval; disabled: boolean }) {
  const { approvals } = useLive();
  const [failure, setFailure] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const { id, releaseAt = 0, releaseTo = 'terminal' } = approval;
  const left = useClock(useCallback((now: number) => formatDuration(releaseAt - now), [releaseAt]));
  const soon = useClock(useCallback((now: number) => releaseAt - now < 15_000, [releaseAt]));

  async function giveBack() {
    setSending(true);
    setFailure(null);
    try {
      approvals.put(await call(releaseApproval, { params: { id } }));
    } catch (error) {
      setFailure(messageOf(error));
      setSending(false);
    }
  }

  const { outcome, action } = WORDS[releaseTo];
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <p role="timer" data-tone={soon ? 'red' : 'gray'} className="flex items-center gap-1.5 text-tone tabular-nums">
        <Timer aria-hidden size={14} className="shrink-0" />
        {outcome} in {left} if nobody answers
      </p>
      {action && (
        <button type="button" className="button" disabled={disabled || sending} onClick={giveBack}>
          <Undo2 aria-hidden size={14} />
          {action}
        </button>
      )}
      {failure && (
        <p role="alert" data-tone="red" className="notice">
          Not returned. {failure}
        </p>
      )}
    </div>
  );
}

const WORDS: Record<ReleaseTo, { outcome: string; action: string | null }> = {
  terminal: { outcome: 'Returns to the terminal', action: 'Return to terminal' },
  // Claude Code would deny it, and there is a Deny button for that.
  client: { outcome: 'Denied', action: null },
  host: { outcome: 'Returns to its program', action: 'Return to program' },
};
