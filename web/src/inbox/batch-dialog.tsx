import { useState } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { canAllowAtOnce } from '../approvals/can-allow-at-once.ts';
import { lineOf } from '../approvals/what-is-asked.ts';
import { useLive } from '../live/live.ts';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';

interface Props {
  decision: 'allow' | 'deny';
  approvals: readonly Approval[];
  onClose: () => void;
}

/** Several decisions at once: every one of them is named before it is made. */
export function BatchDialog({ decision, approvals, onClose }: Props) {
  const { decisions, store } = useLive();
  const [reason, setReason] = useState('');
  const able = approvals.filter((approval) => decision === 'deny' || canAllowAtOnce(approval));
  const left = approvals.length - able.length;
  const verb = decision === 'allow' ? 'Allow' : 'Deny';

  async function decideAll() {
    const message = reason.trim();
    const request = { decision, ...(decision === 'deny' && message ? { message } : {}) };
    onClose();
    const outcomes = await Promise.all(able.map((approval) => decisions.decide(approval, request)));
    const done = outcomes.filter(Boolean).length;
    toast({
      tone: done === able.length ? 'green' : 'red',
      text: `${done} of ${able.length} ${decision === 'allow' ? 'allowed' : 'denied'}.`,
    });
  }

  return (
    <Dialog
      title={`${verb} ${able.length} ${able.length === 1 ? 'request' : 'requests'}?`}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={able.length === 0}
            onClick={() => void decideAll()}
          >
            {verb} all {able.length}
          </button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <ul className="flex flex-col gap-2">
          {able.map((approval) => (
            <li key={approval.id} className="panel px-3 py-2">
              <p className="flex flex-wrap gap-x-2 text-[0.8929rem] text-ink-3">
                <span className="font-semibold text-ink-2">{clipLine(approval.toolName, 60)}</span>
                <bdi className="min-w-0 flex-1 basis-40 truncate">
                  {clipLine(store.get(approval.sessionId)?.title ?? approval.sessionId, 120)}
                </bdi>
              </p>
              <bdi className="block font-mono text-[0.9286rem]">
                {lineOf(approval, store.get(approval.sessionId)?.projectPath).text}
              </bdi>
            </li>
          ))}
        </ul>
        {left > 0 && (
          <p className="text-ink-2">
            {left === 1 ? 'One more needs' : `${left} more need`} an answer of its own, and stays.
          </p>
        )}
        {decision === 'deny' && (
          <label className="flex flex-col gap-1">
            <span className="text-ink-2">Why not? The agents read this.</span>
            <textarea
              className="field answer-text"
              dir="auto"
              rows={2}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
        )}
      </div>
    </Dialog>
  );
}
