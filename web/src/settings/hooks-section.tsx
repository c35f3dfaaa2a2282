import { useState } from 'react';
import type { HooksChange, HooksStatus } from '../../../src/contract/hooks.ts';
import { HooksDialog } from '../hooks/hooks-dialog.tsx';
import { useHooks } from '../hooks/use-hooks.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { Section } from './section.tsx';
import { useStatus } from './use-status.ts';

/** The connection to Claude Code: its state, and buttons to install or remove it. */
export function HooksSection() {
  const hooks = useHooks();
  const [change, setChange] = useState<HooksChange | null>(null);
  const { status, error, busy } = hooks;
  if (useStatus().data?.demo) return <DemoHooks />;
  return (
    <Section title="Claude Code hooks" about="How Ground Control sees and answers your sessions.">
      {!status && !error && <Skeleton lines={2} what="the hooks" />}
      {status && (
        <>
          <p data-tone={toneOf(status)} className="flex items-start gap-2.5">
            <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-tone-edge" />
            <span>
              {status.detail} {status.fix && <span className="text-ink-3">{status.fix}</span>}
            </span>
          </p>
          <p className="font-mono text-xs break-all text-ink-3">{status.path}</p>
          {status.warning && (
            <p data-tone="amber" className="notice break-words">
              {status.warning}
            </p>
          )}
        </>
      )}
      {error && <Failure message={error} />}
      {status && (
        <div className="flex flex-wrap gap-2">
          {status.state !== 'installed' && status.state !== 'invalid' && (
            <button
              type="button"
              className="button"
              data-kind="primary"
              disabled={busy}
              onClick={() => setChange('install')}
            >
              Review and install…
            </button>
          )}
          {status.state !== 'missing' && status.state !== 'invalid' && (
            <button type="button" className="button" disabled={busy} onClick={() => setChange('remove')}>
              Review and remove…
            </button>
          )}
        </div>
      )}
      {change && <HooksDialog change={change} hooks={hooks} onClose={() => setChange(null)} />}
    </Section>
  );
}

/** What the daemon says about the settings file is true but misleading here: the demo doesn't depend on it. */
function DemoHooks() {
  return (
    <Section title="Claude Code hooks" about="How Ground Control sees and answers your sessions.">
      <p data-tone="blue" className="flex items-start gap-2.5">
        <span aria-hidden className="mt-1.5 size-2 shrink-0 rounded-full bg-tone-edge" />
        <span>
          This is the demo. Its agents are simulated, so no hooks are installed and your Claude Code settings aren't
          touched.
        </span>
      </p>
      <p className="text-ink-3">
        To see your own sessions, quit the demo and run <code className="code">gctl up</code>
      </p>
    </Section>
  );
}

function toneOf(status: HooksStatus) {
  if (status.state === 'installed') return 'green';
  return status.state === 'invalid' ? 'red' : 'amber';
}
