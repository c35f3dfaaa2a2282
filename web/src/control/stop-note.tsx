import { OctagonX } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import type { Stop, StopReceipt } from '../../../src/contract/sessions.ts';
import { useClock } from '../ui/clock.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { clip, clipLine, formatDuration } from '../ui/format.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { EndDialog } from './end-dialog.tsx';
import { type Stoppable, useStop } from './use-stop.ts';

/** The progress of a stop, then its receipt. */
export function StopNote({ session, open = false }: { session: Stoppable; open?: boolean }) {
  const { stop } = session;
  if (!stop) return null;
  const { receipt, state, stoppedAt, requestedAt, requestedBy, waitsUntil, unreached } = stop;
  const isStopping = state === 'stopping';
  return (
    <div className="flex flex-col gap-1 text-sm text-ink-2">
      <div role="status" className="flex flex-col gap-1">
        <p className="flex min-w-0 items-center gap-1.5">
          <OctagonX aria-hidden size={14} className="shrink-0" />
          <span className="min-w-0 truncate">
            {isStopping ? 'Stopping' : `Stopped in ${formatDuration((stoppedAt ?? requestedAt) - requestedAt)}`} by{' '}
            <bdi>{clipLine(requestedBy, 60)}</bdi>
            {isStopping && waitsUntil !== null && <HookWait until={waitsUntil} />}
          </span>
        </p>
        {isStopping && unreached && <Unreached unreached={unreached} />}
        {receipt && <Receipt receipt={receipt} open={open} />}
      </div>
      {isStopping && unreached && <EndButton session={session} />}
    </div>
  );
}

/** While an agent thinks, there is nothing to refuse. */
function HookWait({ until }: { until: number }) {
  const left = useClock(useCallback((now: number) => formatDuration(Math.max(0, until - now)), [until]));
  return (
    <span role="timer" className="tabular-nums">
      : waiting {left} for its next hook
    </span>
  );
}

/** It can't be reached. Ending its process is the operator's choice. */
function Unreached({ unreached: { why, resume } }: { unreached: NonNullable<Stop['unreached']> }) {
  return (
    <div data-tone="amber" className="notice flex flex-col gap-1.5">
      <p>{why} It stops at its next tool call, or when someone presses Esc in its terminal.</p>
      <p>To stop it now, end its process. To resume it later:</p>
      <Resume command={resume} />
    </div>
  );
}

function EndButton({ session }: { session: Stoppable }) {
  const { possible } = useStop(session);
  return possible ? <EndControl session={session} /> : null;
}

function EndControl({ session }: { session: Stoppable }) {
  const [ending, setEnding] = useState(false);
  const ref = useRef<HTMLDivElement>(null);
  // The stop may be over well before the card moves.
  useReturnFocus(ref);
  return (
    <div ref={ref} className="above">
      <button type="button" className="button" onClick={() => setEnding(true)}>
        <OctagonX aria-hidden size={15} /> End the process…
      </button>
      {ending && <EndDialog session={session} onClose={() => setEnding(false)} />}
    </div>
  );
}

function Receipt({ receipt, open }: { receipt: StopReceipt; open: boolean }) {
  const { leftPids, killedPids, processEnded, steps, detached, resume } = receipt;
  return (
    <>
      {leftPids.length > 0 && (
        <p data-tone="red" className="text-tone">
          Still running: process {leftPids.slice(0, 20).join(', ')}
        </p>
      )}
      {detached.length > 0 && (
        <p className="text-ink-3">
          Left running:{' '}
          {detached
            .slice(0, 5)
            .map(({ pid, command }) => `${clipLine(command, 60)} (${pid})`)
            .join(', ')}
          {detached.length > 5 && ` and ${detached.length - 5} more`}
        </p>
      )}
      {resume && <Resume command={resume} />}
      {open && (
        <ol aria-label="Stop steps" className="flex flex-col gap-0.5 pl-5 text-ink-3">
          {steps.map(({ step, at, detail }) => (
            <li key={`${step} ${at}`}>{clipLine(detail, 300)}</li>
          ))}
          <li>
            {killedPids.length > 0 && `Ended process ${killedPids.slice(0, 20).join(', ')}. `}
            {processEnded ? "The session's process has ended." : 'The session is still running.'}
          </li>
        </ol>
      )}
    </>
  );
}

function Resume({ command }: { command: string }) {
  return (
    <p className="above flex items-start gap-1">
      <code dir="ltr" className="min-w-0 break-all">
        {clip(command, { max: 600 })}
      </code>
      <CopyButton text={command} what="resume command" />
    </p>
  );
}
