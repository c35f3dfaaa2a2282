import { getRouteApi, Link } from '@tanstack/react-router';
import { FileDiff as FileDiffIcon, GitBranchPlus, GitMerge, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WorktreeDetails } from '../../../src/contract/worktrees.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { useRole } from '../access/use-role.ts';
import { messageOf } from '../api/request.ts';
import { usePaletteActions } from '../app/palette-actions.ts';
import { CommentBar } from '../diffs/comment-bar.tsx';
import { useComments } from '../diffs/use-comments.ts';
import { CopyButton } from '../ui/copy-button.tsx';
import { displayPath } from '../ui/display-path.ts';
import { clipLine, countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { BranchDialog } from './branch-dialog.tsx';
import { DiffFiles } from './diff-files.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { RemoveDialog } from './remove-dialog.tsx';
import { useWorktree, useWorktreeDiff } from './use-worktrees.ts';
import { StateMark } from './worktrees-page.tsx';

const route = getRouteApi('/worktrees/$worktreeId');

/** One worktree: its state, its changes, and the actions on it. */
export function WorktreePage() {
  const { worktreeId } = route.useParams();
  const { data, error, isPending, refetch } = useWorktree(worktreeId);
  if (isPending)
    return (
      <Page title="Worktree">
        <Skeleton lines={8} what="the worktree" />
      </Page>
    );
  if (error || !data)
    return (
      <Page title="Worktree">
        <Failure message={messageOf(error)} onRetry={() => void refetch()} />
      </Page>
    );
  return <Loaded worktree={data} refresh={refetch} />;
}

function Loaded({ worktree, refresh }: { worktree: WorktreeDetails; refresh: () => Promise<unknown> }) {
  const { id, name, kind, state, isMissing } = worktree;
  const [open, setOpen] = useState<'merge' | 'branch' | 'remove' | null>(null);
  const isThere = state === 'ready' && !isMissing;
  const hasDiff = kind === 'worktree' && isThere;
  const diff = useWorktreeDiff(id, { enabled: hasDiff });
  const actions = useComments({ kind: 'worktree', id });
  const viewer = useRole() === 'viewer';
  const close = () => setOpen(null);
  const merge = () => setOpen('merge');
  const branch = () => setOpen('branch');
  const remove = () => {
    // refetch, because the dialog's facts must be current and sessions come and go
    void refresh();
    setOpen('remove');
  };
  useShortcuts(
    'Worktree',
    viewer || !isThere
      ? []
      : [
          ...(hasDiff
            ? [
                { keys: ['m'], what: 'Merge…', run: merge },
                { keys: ['b'], what: 'Create branch…', run: branch },
              ]
            : []),
          { keys: ['Backspace'], what: 'Remove…', run: remove },
          { keys: ['u'], what: 'Reload the diff', run: () => void diff.refetch() },
        ],
  );
  usePaletteActions(() =>
    viewer || !isThere
      ? []
      : [
          ...(hasDiff
            ? [
                { label: 'Merge worktree…', icon: GitMerge, run: merge, hint: 'm' },
                { label: 'Create branch…', icon: GitBranchPlus, run: branch, hint: 'b' },
              ]
            : []),
          { label: 'Remove worktree…', icon: Trash2, run: remove },
        ],
  );
  return (
    <Page
      title={name}
      actions={
        isThere && (
          <ForOperators>
            {hasDiff && (
              <>
                <button type="button" className="button" data-kind="primary" onClick={merge}>
                  <GitMerge aria-hidden size={16} /> Merge…
                </button>
                <button type="button" className="button" onClick={branch}>
                  <GitBranchPlus aria-hidden size={16} /> Create branch…
                </button>
              </>
            )}
            <button type="button" className="button" onClick={remove}>
              <Trash2 aria-hidden size={16} /> Remove…
            </button>
          </ForOperators>
        )
      }
    >
      <div className="mx-auto flex max-w-[90rem] flex-col gap-5">
        <ViewerNote />
        <Facts worktree={worktree} />
        {worktree.problem !== null && <Failure message={worktree.problem} />}
        {worktree.failure !== null && <Failure message={worktree.failure} />}
        {worktree.setup.status === 'failed' && <FailedSetup worktree={worktree} />}
        {hasDiff && diff.error && <Failure message={messageOf(diff.error)} onRetry={() => void diff.refetch()} />}
        {hasDiff && !diff.data && !diff.error && <Skeleton lines={8} what="the changes" />}
        {diff.data && diff.data.total === 0 && (
          <Empty icon={FileDiffIcon} title="No changes yet">
            <p>Nothing differs from {worktree.base?.branch ?? worktree.base?.ref ?? 'the base'}.</p>
          </Empty>
        )}
        {diff.data && diff.data.total > 0 && (
          <DiffFiles
            worktreeId={id}
            diff={diff.data}
            actions={actions}
            isReloading={diff.isFetching}
            onReload={() => void diff.refetch()}
          />
        )}
        <CommentBar sessions={worktree.sessions} actions={actions} />
      </div>
      {open === 'merge' && <MergeDialog worktree={worktree} tree={diff.data?.tree} onClose={close} />}
      {open === 'branch' && <BranchDialog worktree={worktree} onClose={close} />}
      {open === 'remove' && <RemoveDialog worktree={worktree} onClose={close} />}
    </Page>
  );
}

function Facts({ worktree }: { worktree: WorktreeDetails }) {
  const { path, project, branch, base, status, sessions, merged, ports } = worktree;
  return (
    <dl className="panel worktree-facts">
      <div>
        <dt>State</dt>
        <dd className="mt-0.5 flex flex-wrap gap-2">
          <StateMark worktree={worktree} />
          {status?.operation && (
            <span className="worktree-state" data-tone="amber">
              Unfinished {status.operation}
            </span>
          )}
        </dd>
      </div>
      {sessions.length > 0 && (
        <div>
          <dt>{sessions.length === 1 ? 'Session' : 'Sessions'}</dt>
          {sessions.map((session) => (
            <dd key={session.id} className="min-w-0 truncate">
              <Link to="/sessions/$sessionId" params={{ sessionId: session.id }} className="link">
                {clipLine(session.title, 80)}
              </Link>
            </dd>
          ))}
        </div>
      )}
      {project && (
        <div>
          <dt>Project</dt>
          <dd className="break-all">{displayPath(project)}</dd>
        </div>
      )}
      {branch && (
        <div>
          <dt>Branch</dt>
          <dd className="font-mono break-all">
            {status ? (status.headBranch ?? `detached at ${status.head.slice(0, 9)}`) : branch}
          </dd>
          {status && status.headBranch !== branch && <dd className="text-ink-3">started on {branch}</dd>}
        </div>
      )}
      {base && (
        <div>
          <dt>Base</dt>
          <dd className="font-mono break-all">{base.branch ?? base.ref}</dd>
          {status && (
            <dd className="text-ink-3">
              {status.ahead} ahead, {status.behind} behind
            </dd>
          )}
        </div>
      )}
      {status && (
        <div>
          <dt>Uncommitted</dt>
          <dd>
            {status.changed + status.untracked + status.conflicted === 0
              ? 'Nothing'
              : countOf(status.changed + status.untracked + status.conflicted, 'file')}
          </dd>
        </div>
      )}
      {status?.merge && (
        <div>
          <dt>Merging into {status.merge.into}</dt>
          <dd>{mergeText(status.merge)}</dd>
        </div>
      )}
      {merged && (
        <div>
          <dt>Merged</dt>
          <dd>
            {merged.strategy} into {merged.into}
          </dd>
        </div>
      )}
      {ports && (
        <div>
          <dt>Ports</dt>
          <dd className="tabular-nums">
            {ports.first}–{ports.first + ports.count - 1}
          </dd>
        </div>
      )}
      <div className="min-w-0">
        <dt>Folder</dt>
        <dd className="flex items-center gap-1">
          <bdi className="min-w-0 truncate font-mono" title={path}>
            {displayPath(path)}
          </bdi>
          <CopyButton text={path} what="path" />
        </dd>
      </div>
    </dl>
  );
}

function mergeText({
  outcome,
  conflicts,
  baseDirty,
}: NonNullable<NonNullable<WorktreeDetails['status']>['merge']>): string {
  if (outcome === 'nothing') return 'Already has everything';
  if (outcome === 'conflicts') return `Conflicts in ${countOf(conflicts.length, 'file')}`;
  return baseDirty > 0 ? 'Its checkout has uncommitted changes' : 'No conflicts';
}

function FailedSetup({ worktree: { setup } }: { worktree: WorktreeDetails }) {
  return (
    <details className="notice" data-tone="amber">
      <summary className="cursor-pointer">
        Setup command failed with exit code {setup.exitCode}: <code dir="ltr">{setup.command}</code>
      </summary>
      <pre className="mt-2 max-h-80 overflow-auto whitespace-pre-wrap">{setup.output || 'No output'}</pre>
    </details>
  );
}
