import { Settings } from 'lucide-react';
import { useId, useRef } from 'react';
import type { HooksStatus } from '../../../src/contract/hooks.ts';
import { AwaySwitch } from '../approvals/away-switch.tsx';
import type { HooksControl } from './use-hooks.ts';

/** The connection to Claude Code: how it stands, and the two things to do about it. */
export function HooksPopover({ hooks, onInstall }: { hooks: HooksControl; onInstall: () => void }) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const { status, error, busy } = hooks;
  return (
    <>
      <button type="button" className="icon-button" aria-label="Settings" popoverTarget={id}>
        <Settings aria-hidden size={18} />
      </button>
      <div ref={panel} id={id} popover="auto" className="popover">
        <div className="flex flex-col gap-3 p-4">
          <h2 className="font-semibold">Claude Code hooks</h2>
          {status && (
            <>
              <p data-tone={toneOf(status)} className="flex items-start gap-2 text-ink-2">
                <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-tone-edge" />
                <span>{status.detail}</span>
              </p>
              {status.fix && <p className="text-ink-3">{status.fix}</p>}
              <p className="font-mono text-[0.8571rem] break-all text-ink-3">{status.path}</p>
            </>
          )}
          {error && (
            <p role="alert" className="notice" data-tone="red">
              {error}
            </p>
          )}
          <div className="flex flex-wrap gap-2">
            {status && status.state !== 'installed' && (
              <button
                type="button"
                className="button"
                data-kind="primary"
                disabled={busy}
                onClick={() => {
                  panel.current?.hidePopover();
                  onInstall();
                }}
              >
                Review and install…
              </button>
            )}
            {status && status.state !== 'missing' && status.state !== 'invalid' && (
              <button type="button" className="button" disabled={busy} onClick={() => void hooks.remove()}>
                Remove hooks
              </button>
            )}
          </div>
          <AwaySwitch />
        </div>
      </div>
    </>
  );
}

function toneOf(status: HooksStatus) {
  if (status.state === 'installed') return 'green';
  return status.state === 'invalid' ? 'red' : 'amber';
}
