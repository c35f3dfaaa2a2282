import { OctagonX } from 'lucide-react';
import type { Stop } from '../../../src/contract/sessions.ts';
import { clipLine, formatDuration } from '../ui/format.ts';

/** How a stop goes, and the receipt when it is done. */
export function StopNote({ stop, open = false }: { stop: Stop | null; open?: boolean }) {
  if (!stop) return null;
  const { receipt, state, stoppedAt, requestedAt, requestedBy } = stop;
  const last = receipt?.steps.at(-1);
  return (
    <div role="status" className="flex flex-col gap-1 text-[0.8929rem] text-ink-2">
      <p className="flex min-w-0 items-center gap-1.5">
        <OctagonX aria-hidden size={14} className="shrink-0" />
        <span className="min-w-0 truncate">
          {state === 'stopping' ? 'Stopping' : `Stopped in ${formatDuration((stoppedAt ?? requestedAt) - requestedAt)}`}{' '}
          by <bdi>{clipLine(requestedBy, 60)}</bdi>
          {state === 'stopping' && last && `: ${clipLine(last.detail, 120)}`}
        </span>
      </p>
      {receipt && receipt.leftPids.length > 0 && (
        <p data-tone="red" className="text-tone">
          Still running: process {receipt.leftPids.slice(0, 20).join(', ')}
        </p>
      )}
      {open && receipt && (
        <ol aria-label="Steps of the stop" className="flex flex-col gap-0.5 pl-5 text-ink-3">
          {receipt.steps.map(({ step, at, detail }) => (
            <li key={`${step} ${at}`}>{clipLine(detail, 300)}</li>
          ))}
          <li>
            {receipt.killedPids.length > 0 && `Ended process ${receipt.killedPids.slice(0, 20).join(', ')}. `}
            {receipt.processEnded ? 'The process of the session has ended.' : 'The session itself is still there.'}
          </li>
        </ol>
      )}
    </div>
  );
}
