import { Undo2 } from 'lucide-react';
import { useCallback } from 'react';
import type { Approval, HeldDecision } from '../../../../src/contract/approvals.ts';
import { useRole } from '../../access/use-role.ts';
import { useLive } from '../../live/live.ts';
import { useClock } from '../../ui/clock.ts';
import { clipLine } from '../../ui/format.ts';
import { toast } from '../../ui/toasts.tsx';

/** Replaces the buttons while a decision can still be undone. */
export function UndoCountdown({ approval, held }: { approval: Approval; held: HeldDecision }) {
  const { decisions } = useLive();
  const viewer = useRole() === 'viewer';
  const left = useClock(useCallback((now: number) => Math.max(1, Math.ceil((held.until - now) / 1000)), [held.until]));
  const undo = async () => {
    if (!(await decisions.undo(approval.id))) toast({ text: 'Too late to undo.', tone: 'red' });
  };
  return (
    <div className="answer-actions items-center">
      <p className="text-ink-2">
        <span className="font-semibold text-ink">{held.decision === 'allow' ? 'Allowing' : 'Denying'}</span> in {left}{' '}
        s, by <bdi>{clipLine(held.by, 60)}</bdi>
      </p>
      {!viewer && (
        <button type="button" data-undo className="button" onClick={() => void undo()}>
          <Undo2 aria-hidden size={15} /> Undo
        </button>
      )}
    </div>
  );
}
