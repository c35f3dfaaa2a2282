import type { ChangedFile, WorktreeDiff } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { FileDiff } from '../diffs/file-diff.tsx';
import type { CommentActions } from '../diffs/use-comments.ts';
import { Failure, Skeleton } from '../ui/states.tsx';
import { useFileDiff } from './use-worktrees.ts';

interface Props {
  worktreeId: string;
  file: ChangedFile;
  diff: Pick<WorktreeDiff, 'tree' | 'head'>;
  split: boolean;
  actions: CommentActions;
}

/** The changes in one file of a worktree, loaded when it is shown. */
export function FileChanges({ worktreeId, file, diff, split, actions }: Props) {
  const { path, change, added, removed, isBinary } = file;
  const { data, error, isPending, refetch } = useFileDiff(
    worktreeId,
    { path, tree: diff.tree },
    { enabled: !isBinary },
  );
  if (isBinary) return <p className="px-3 py-2 text-ink-3">Binary file, not shown.</p>;
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (isPending)
    return (
      <div className="p-3">
        <Skeleton lines={Math.min(8, added + removed)} what={`changes in ${path}`} />
      </div>
    );
  return (
    <>
      {data.hunks.length === 0 ? (
        <p className="px-3 py-2 text-ink-3">
          {change === 'renamed' ? 'Renamed without changes.' : 'No changed lines.'}
        </p>
      ) : (
        <FileDiff diff={data} split={split} actions={actions} commit={diff.head} />
      )}
      {data.clipped && <p className="px-3 py-1.5 text-ink-3">Only part of this file is shown.</p>}
    </>
  );
}
