import { getRouteApi, Link } from '@tanstack/react-router';
import { Check, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import type { FanOut, FanOutRun } from '../../../src/contract/fan-outs.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { FamilyState } from '../family/family-state.tsx';
import { Markdown } from '../markdown/markdown.tsx';
import { LineCounts } from '../session/conversation/tool-part.tsx';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { displayPath } from '../ui/display-path.ts';
import { clip, clipLine, countOf, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { FanOutMark } from './fan-out-mark.tsx';
import { KeepDialog } from './keep-dialog.tsx';
import { RunDiffs } from './run-diffs.tsx';
import { useFanOut, useFanOutActions, useRunDiffs } from './use-fan-outs.ts';

const route = getRouteApi('/fan-outs/$fanOutId');

/** The runs of one prompt side by side: answers, costs and diffs. */
export function FanOutPage() {
  const { fanOutId } = route.useParams();
  const { data, error, isPending, refetch } = useFanOut(fanOutId);
  if (isPending)
    return (
      <Page title="Fan-out">
        <Skeleton lines={8} what="the fan-out" />
      </Page>
    );
  if (error)
    return (
      <Page title="Fan-out">
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
        <Link to="/fan-outs" className="link mt-3 inline-block">
          All fan-outs
        </Link>
      </Page>
    );
  return <Loaded fanOut={data} />;
}

function Loaded({ fanOut }: { fanOut: FanOut }) {
  const { name, prompt, project, base, state, kept, runs, leftovers, isClearing } = fanOut;
  const [keeping, setKeeping] = useState<FanOutRun | null>(null);
  const [isDiscarding, setDiscarding] = useState(false);
  const diffOf = useRunDiffs(runs);
  const viewer = useRole() === 'viewer';
  const isOpen = state !== 'kept' && state !== 'discarded';
  const columns = useRef<HTMLDivElement>(null);
  const move = (step: number) => () => {
    const all = [...(columns.current?.querySelectorAll<HTMLElement>('[data-run]') ?? [])];
    const at = all.findIndex((one) => one.contains(document.activeElement));
    const next = all[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  };
  const focusedRun = () => {
    const focused = document.activeElement?.closest<HTMLElement>('[data-run]')?.dataset.run;
    return runs.find((run) => run.name === focused);
  };
  useShortcuts('Fan-out', [
    { keys: ['l', 'ArrowRight'], what: 'Next run', run: move(1) },
    { keys: ['h', 'ArrowLeft'], what: 'Previous run', run: move(-1) },
    ...(viewer || !isOpen
      ? []
      : [
          {
            keys: ['Enter'],
            what: 'Keep the selected run…',
            run: () => {
              const run = focusedRun();
              if (run?.worktree && document.activeElement?.hasAttribute('data-run')) setKeeping(run);
            },
          },
        ]),
  ]);
  return (
    <Page
      title={name}
      actions={
        isOpen && (
          <ForOperators>
            <button type="button" className="button" onClick={() => setDiscarding(true)}>
              <Trash2 aria-hidden size={15} /> Discard all…
            </button>
          </ForOperators>
        )
      }
    >
      <div className="flex flex-col gap-5">
        <ViewerNote />
        <div className="flex flex-col gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-ink-3">
            <Link to="/fan-outs" className="link">
              Fan-outs
            </Link>
            <FanOutMark fanOut={fanOut} />
            <bdi>{displayPath(project)}</bdi>
            <span className="font-mono">
              {base.branch ?? base.ref} at {base.commit.slice(0, 9)}
            </span>
          </p>
          <p dir="auto" className="max-w-[60rem] whitespace-pre-wrap">
            {clip(prompt, { max: 4000 })}
          </p>
        </div>
        {kept && (
          <p className="notice" data-tone="blue">
            Kept {kept.run}: {kept.how === 'merge' ? `merged into ${kept.branch}` : `branch ${kept.branch}`} at{' '}
            <code>{kept.commit.slice(0, 9)}</code>.{isClearing && ' Removing the other worktrees…'}
          </p>
        )}
        {leftovers.map(({ run, why }) => (
          <p key={run} className="notice" data-tone="amber">
            The worktree of {run} is still there: {why}
          </p>
        ))}
        <div ref={columns} className="fan-out-runs" style={{ '--runs': runs.length } as React.CSSProperties}>
          {runs.map((run) => (
            <Run
              key={run.name}
              run={run}
              isKept={kept?.run === run.name}
              onKeep={isOpen ? () => setKeeping(run) : undefined}
            />
          ))}
        </div>
        <RunDiffs runs={runs} diffOf={diffOf} />
      </div>
      {keeping && (
        <KeepDialog fanOut={fanOut} run={keeping} tree={diffOf(keeping)?.tree} onClose={() => setKeeping(null)} />
      )}
      {isDiscarding && <DiscardDialog fanOut={fanOut} onClose={() => setDiscarding(false)} />}
    </Page>
  );
}

interface RunProps {
  run: FanOutRun;
  isKept: boolean;
  /** Absent: a run was already chosen. */
  onKeep: (() => void) | undefined;
}

function Run({ run, isKept, onKeep }: RunProps) {
  const { name, driver, blueprint, model, error, session, answer, worktree, changes, snapshotId } = run;
  const variant = [blueprint, model && shortModel(model), driver === 'native' && 'built-in agent'].filter(Boolean);
  return (
    <article
      className="panel fan-out-run"
      aria-label={name}
      data-run={name}
      data-kept={isKept || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrows go from run to run
      tabIndex={0}
    >
      <header className="flex flex-col gap-1 border-b border-line p-3">
        <h2 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
          {name}
          {isKept && (
            <span className="flex items-center gap-1 font-normal text-ink-2">
              <Check aria-hidden size={14} /> kept
            </span>
          )}
        </h2>
        <p className="text-ink-3">{variant.join(' · ') || 'Default model'}</p>
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
          {session ? <FamilyState session={session} /> : <span className="text-ink-3">Not started</span>}
          {session && (
            <span className="text-ink-3 tabular-nums">
              {session.spent.dollars === null ? 'cost unknown' : formatUsd(session.spent.dollars)} ·{' '}
              {formatTokens(session.spent.tokens)} tokens
            </span>
          )}
          {changes && (
            <span>
              {countOf(changes.files, 'file')} <LineCounts added={changes.added} removed={changes.removed} />
            </span>
          )}
        </div>
        <p className="flex flex-wrap gap-x-3 text-sm">
          {session && (
            <Link to="/sessions/$sessionId" params={{ sessionId: session.id }} className="link">
              Session
            </Link>
          )}
          {worktree && changes && (
            <Link to="/worktrees/$worktreeId" params={{ worktreeId: worktree.id }} className="link">
              Worktree
            </Link>
          )}
          {snapshotId && (
            <Link to="/worktrees" className="link">
              Snapshot
            </Link>
          )}
        </p>
      </header>
      {error && (
        <p className="notice m-3" data-tone="red">
          {clipLine(error, 500)}
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section aria-label={`Answer of ${name}`} className="fan-out-answer" tabIndex={0}>
        {answer ? <Markdown text={answer} /> : <p className="text-ink-3">No answer yet</p>}
      </section>
      {onKeep && worktree && (
        <ForOperators>
          <footer className="border-t border-line p-3">
            <button type="button" className="button w-full" data-kind="primary" onClick={onKeep}>
              Keep {name}…
            </button>
          </footer>
        </ForOperators>
      )}
    </article>
  );
}

function DiscardDialog({ fanOut: { id, name, runs }, onClose }: { fanOut: FanOut; onClose: () => void }) {
  const { discard } = useFanOutActions();
  const submit = () =>
    discard.mutate(id, {
      onSuccess: () => {
        toast({ text: `Discarded ${name}` });
        onClose();
      },
    });
  return (
    <ActionDialog
      title={`Discard ${name}`}
      action="Discard all"
      icon={Trash2}
      isDestructive
      isPending={discard.isPending}
      error={discard.error && messageOf(discard.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Removes the worktrees of all {runs.length} runs and keeps none. Sessions that are still working are stopped.
        Each worktree is kept as a snapshot that you can restore.
      </p>
    </ActionDialog>
  );
}
