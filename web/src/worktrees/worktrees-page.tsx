import { Link } from '@tanstack/react-router';
import { FolderGit2, FolderOpen, GitBranch } from 'lucide-react';
import { useRef } from 'react';
import type { ForeignWorktree, Snapshot, WorktreeView } from '../../../src/contract/worktrees.ts';
import { ForOperators, ViewerNote } from '../access/for-operators.tsx';
import { messageOf } from '../api/request.ts';
import { Elapsed } from '../sessions/elapsed.tsx';
import { displayPath } from '../ui/display-path.ts';
import { clipLine, countOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { useShortcuts } from '../ui/shortcuts.ts';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { toast } from '../ui/toasts.tsx';
import { useSnapshots, useWorktreeActions, useWorktrees } from './use-worktrees.ts';

/** Every worktree and scratch folder, by project. */
export function WorktreesPage() {
  const { data, error, isPending, refetch } = useWorktrees();
  const list = useRef<HTMLDivElement>(null);
  const move = (step: number) => () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-worktree]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const next = rows[at < 0 ? 0 : at + step];
    next?.focus();
    next?.scrollIntoView({ block: 'nearest' });
  };
  useShortcuts('Worktrees', [
    { keys: ['j', 'ArrowDown'], what: 'Next', run: move(1) },
    { keys: ['k', 'ArrowUp'], what: 'Previous', run: move(-1) },
    { keys: ['Enter'], what: 'Open' },
  ]);
  return (
    <Page title="Worktrees">
      <div ref={list} className="mx-auto flex max-w-[70rem] flex-col gap-6">
        <ViewerNote />
        {isPending && <Skeleton lines={6} what="the worktrees" />}
        {error && <Failure message={messageOf(error)} onRetry={() => void refetch()} />}
        {data && data.worktrees.length === 0 && (
          <Empty icon={FolderGit2} title="No worktrees">
            <p>
              A session started with a worktree works in its own checkout. Review its changes, merge them and remove it
              here.
            </p>
            <code className="code">gctl new fix-login --worktree</code>
          </Empty>
        )}
        {data &&
          byProject(data.worktrees).map(([project, worktrees]) => (
            <Project key={project} project={project} worktrees={worktrees} />
          ))}
        {data && data.others.length > 0 && <Others others={data.others} />}
        <Snapshots />
      </div>
    </Page>
  );
}

function byProject(worktrees: readonly WorktreeView[]): [string, WorktreeView[]][] {
  const groups = new Map<string, WorktreeView[]>();
  for (const one of worktrees) groups.set(one.project ?? '', [...(groups.get(one.project ?? '') ?? []), one]);
  return [...groups].sort(([a], [b]) => (a === '' ? 1 : b === '' ? -1 : a < b ? -1 : 1));
}

function Project({ project, worktrees }: { project: string; worktrees: WorktreeView[] }) {
  const title = project === '' ? 'Scratch folders' : displayPath(project);
  return (
    <section aria-label={title}>
      <h2 className="mb-2 font-semibold break-all" title={project || undefined}>
        {title} <span className="font-normal text-ink-3">{worktrees.length}</span>
      </h2>
      <ul className="panel divide-y divide-line">
        {worktrees.map((worktree) => (
          <li key={worktree.id}>
            <Row worktree={worktree} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ worktree }: { worktree: WorktreeView }) {
  const { id, name, kind, branch, base, sessions, createdAt } = worktree;
  const live = sessions.filter(({ isLive }) => isLive);
  const Icon = kind === 'scratch' ? FolderOpen : GitBranch;
  return (
    <Link to="/worktrees/$worktreeId" params={{ worktreeId: id }} className="worktree-row" data-worktree={name}>
      <Icon aria-hidden size={16} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{name}</span>
        <span className="block truncate text-sm text-ink-3">
          {live[0] ? clipLine(live[0].title, 120) : (branch ?? worktree.path)}
          {base?.branch && !live[0] && ` from ${base.branch}`}
        </span>
      </span>
      <StateMark worktree={worktree} />
      <span className="whitespace-nowrap text-sm text-ink-3">
        <Elapsed since={createdAt} />
      </span>
    </Link>
  );
}

export function StateMark({ worktree: { state, isMissing, sessions, merged, setup } }: { worktree: WorktreeView }) {
  const live = sessions.filter(({ isLive }) => isLive).length;
  const [tone, text] = isMissing
    ? ['red', 'Folder is gone']
    : state === 'creating'
      ? ['blue', 'Being created']
      : state === 'removing'
        ? ['gray', 'Being removed']
        : state === 'failed'
          ? ['red', 'Failed']
          : setup.status === 'failed'
            ? ['amber', 'Setup failed']
            : live > 0
              ? ['green', live === 1 ? 'In use' : countOf(live, 'session')]
              : merged
                ? ['blue', 'Merged']
                : ['gray', 'Idle'];
  return (
    <span className="worktree-state" data-tone={tone}>
      {text}
    </span>
  );
}

function Others({ others }: { others: ForeignWorktree[] }) {
  return (
    <details>
      <summary className="cursor-pointer text-ink-2">{countOf(others.length, 'worktree')} made by other tools</summary>
      <ul className="panel mt-2 divide-y divide-line">
        {others.map(({ path, branch, isLocked }) => (
          <li key={path} className="flex flex-wrap gap-x-4 px-3 py-2">
            <bdi className="min-w-0 flex-1 font-mono break-all">{displayPath(path)}</bdi>
            <span className="text-ink-3">
              {branch ?? 'detached'}
              {isLocked && ', locked'}
            </span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function Snapshots() {
  const { data = [] } = useSnapshots();
  const { restore } = useWorktreeActions();
  if (data.length === 0) return null;
  const bringBack = ({ id, name }: Snapshot) =>
    restore.mutate(id, {
      onSuccess: () => toast({ text: `Restored ${name}` }),
      onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
    });
  return (
    <details>
      <summary className="cursor-pointer text-ink-2">
        {countOf(data.length, 'removed worktree')}, kept as snapshots
      </summary>
      <ul className="panel mt-2 divide-y divide-line">
        {data.map((snapshot) => (
          <li key={snapshot.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
            <div className="min-w-0 flex-1">
              <p className="font-medium">{snapshot.name}</p>
              <p className="text-sm text-ink-3">
                {snapshot.project ? displayPath(snapshot.project) : 'Scratch folder'} · removed{' '}
                <Elapsed since={snapshot.at} /> ago · {countOf(snapshot.uncommitted, 'uncommitted file')}
              </p>
            </div>
            <ForOperators>
              <button type="button" className="button" disabled={restore.isPending} onClick={() => bringBack(snapshot)}>
                Restore
              </button>
            </ForOperators>
          </li>
        ))}
      </ul>
    </details>
  );
}
