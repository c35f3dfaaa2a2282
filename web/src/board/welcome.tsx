import type { ReactNode } from 'react';
import type { HooksControl } from '../hooks/use-hooks.ts';
import { BrandMark } from '../ui/brand-mark.tsx';

/** The board without any sessions: what to do next. */
export function Welcome({ hooks, onInstall }: { hooks: HooksControl; onInstall: () => void }) {
  const { status, error } = hooks;
  if (error && !status) {
    return (
      <Panel title="Nothing here yet">
        <p role="alert" className="notice" data-tone="red">
          {error}
        </p>
      </Panel>
    );
  }
  if (!status) return null;
  if (status.state === 'installed') {
    return (
      <Panel title="All quiet">
        <p>
          Start <code className="code">claude</code> in any terminal and its session appears here. Sessions that are
          already running appear with their next activity.
        </p>
      </Panel>
    );
  }
  return (
    <Panel title="Connect Claude Code">
      <p>
        Ground Control sees your sessions through Claude Code hooks, which aren't installed yet. You'll review the exact
        change to your settings first.
      </p>
      {status.state === 'invalid' ? (
        <p role="alert" className="notice" data-tone="red">
          {status.detail} {status.fix}
        </p>
      ) : (
        <button type="button" className="button self-start" data-kind="primary" onClick={onInstall}>
          Review and install…
        </button>
      )}
      <p className="text-ink-3">
        From a terminal: <code className="code">gctl hooks install</code>
      </p>
    </Panel>
  );
}

function Panel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="grid min-h-0 flex-1 place-items-center overflow-y-auto bg-bay p-6 pb-[14vh]">
      <div className="flex max-w-[30rem] flex-col gap-4 text-lg text-ink-2">
        <BrandMark size={44} />
        <h2 className="text-3xl font-semibold tracking-tight text-ink">{title}</h2>
        {children}
      </div>
    </div>
  );
}
