import { useRef, useState } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { decideWithToast } from '../approvals/answer/decide-with-toast.ts';
import { useFullApproval } from '../approvals/answer/use-full-approval.ts';
import { CallView } from '../approvals/request/call-view.tsx';
import { lineOf } from '../approvals/request/describe-request.ts';
import { useLive, useSession } from '../live/live.ts';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { FullViewProvider, useFullViewOf, useLeftOut } from '../ui/full-view.ts';

interface Props {
  decision: 'allow' | 'deny';
  approvals: readonly Approval[];
  onClose: () => void;
}

/** Several decisions at once. Every one is shown in full before it is made. */
export function BatchDialog({ decision, approvals, onClose }: Props) {
  const live = useLive();
  const [reason, setReason] = useState('');
  const list = useRef<HTMLDivElement>(null);
  const { view, hasHidden, isSeen } = useFullViewOf(list, { isOpen: true, setOpen: () => undefined });
  // Plans and questions are answered one at a time.
  const able = approvals.filter(({ kind }) => decision === 'deny' || kind === 'permission');
  const left = approvals.length - able.length;
  const verb = decision === 'allow' ? 'Allow' : 'Deny';
  const isUnread = decision === 'allow' && (hasHidden || !isSeen);

  function decideAll() {
    const message = reason.trim();
    const request = { decision, ...(decision === 'deny' && message ? { message } : {}) };
    onClose();
    void decideWithToast(live, able, () => request);
  }

  return (
    <Dialog
      title={`${verb} ${able.length} ${able.length === 1 ? 'request' : 'requests'}?`}
      onClose={onClose}
      footer={
        <>
          {isUnread && <p className="mr-auto self-center text-ink-2">Scroll to the end to allow all.</p>}
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={able.length === 0 || isUnread}
            onClick={decideAll}
          >
            {verb} all {able.length}
          </button>
        </>
      }
    >
      <div ref={list} className="approval flex flex-col gap-3" data-open>
        <span data-mark aria-hidden />
        <FullViewProvider value={view}>
          <ul className="flex flex-col gap-2">
            {able.map((approval) => (
              <BatchItem key={approval.id} approval={approval} />
            ))}
          </ul>
        </FullViewProvider>
        {left > 0 && (
          <p className="text-ink-2">
            {left === 1 ? '1 question or plan stays' : `${left} questions and plans stay`} in the inbox to be answered
            one by one.
          </p>
        )}
        {decision === 'deny' && (
          <label className="flex flex-col gap-1">
            <span className="text-ink-2">Why not? Sent to the agents.</span>
            <textarea
              className="field answer-text"
              dir="auto"
              rows={2}
              value={reason}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
        )}
        <span data-mark aria-hidden />
      </div>
    </Dialog>
  );
}

function BatchItem({ approval: given }: { approval: Approval }) {
  const { approval, partial } = useFullApproval(given);
  const session = useSession(approval.sessionId);
  useLeftOut(partial);
  return (
    <li className="panel flex flex-col gap-1.5 px-3 py-2">
      <p className="flex flex-wrap gap-x-2 text-sm text-ink-3">
        <span className="font-semibold text-ink-2">{clipLine(approval.toolName, 60)}</span>
        <bdi className="min-w-0 flex-1 basis-40 truncate">{clipLine(session?.title ?? approval.sessionId, 120)}</bdi>
      </p>
      {approval.kind === 'permission' ? (
        <CallView
          toolName={approval.toolName}
          input={approval.toolInput}
          folder={session?.projectPath}
          approvalId={approval.id}
        />
      ) : (
        <bdi className="block">{lineOf(approval, session?.projectPath).text}</bdi>
      )}
      {partial && <p className="text-ink-3">Loading the rest…</p>}
    </li>
  );
}
