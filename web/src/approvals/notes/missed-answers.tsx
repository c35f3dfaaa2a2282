import { X } from 'lucide-react';
import { useLive, useMissed } from '../../live/live.ts';
import { Elapsed } from '../../sessions/elapsed.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { clip } from '../../ui/format.ts';
import { describeOutcome } from '../answer/outcome.ts';
import { lineOf } from '../request/describe-request.ts';

/** Shows when someone else answered first: who, when and what, along with the operator's unsent text. */
export function MissedAnswers({ sessionId }: { sessionId?: string }) {
  const { decisions, store } = useLive();
  const missed = useMissed().filter(({ approval }) => sessionId === undefined || approval.sessionId === sessionId);
  return missed.map(({ approval, text }) => (
    <div key={approval.id} role="alert" data-tone="amber" className="notice above flex flex-col gap-1.5">
      <div className="flex items-start justify-between gap-2">
        <p className="min-w-0">
          <span className="font-semibold">
            {approval.delivery?.state === 'not_delivered' ? 'Not delivered.' : 'Too late.'}
          </span>{' '}
          {describeOutcome(approval)}
          {approval.settledAt !== undefined && (
            <span className="text-ink-3">
              {' '}
              <Elapsed since={approval.settledAt} /> ago
            </span>
          )}
          <bdi className="block truncate text-ink-3">
            {lineOf(approval, store.get(approval.sessionId)?.projectPath).text}
          </bdi>
        </p>
        <button
          type="button"
          className="icon-button -mt-1 -mr-1 shrink-0"
          aria-label="Dismiss"
          onClick={() => decisions.forgetMissed(approval.id)}
        >
          <X aria-hidden size={16} />
        </button>
      </div>
      {text && (
        <div className="flex items-start justify-between gap-2 border-t border-line pt-1.5">
          <p dir="auto" className="min-w-0 whitespace-pre-wrap">
            <span className="text-ink-3">You wrote: </span>
            {clip(text, { max: 4_000 })}
          </p>
          <CopyButton text={text} what="your text" />
        </div>
      )}
    </div>
  ));
}
