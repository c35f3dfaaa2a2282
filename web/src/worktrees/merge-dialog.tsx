import { GitMerge } from 'lucide-react';
import { useState } from 'react';
import type { MergeStrategy, WorktreeDetails } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { countOf } from '../ui/format.ts';
import { Segmented } from '../ui/segmented.tsx';
import { toast } from '../ui/toasts.tsx';
import { useWorktreeActions } from './use-worktrees.ts';

export const STRATEGIES: ReadonlyArray<{ value: MergeStrategy; label: string }> = [
  { value: 'squash', label: 'Squash' },
  { value: 'merge', label: 'Merge commit' },
  { value: 'rebase', label: 'Rebase' },
];
const BUTTON: Record<MergeStrategy, string> = {
  squash: 'Squash and merge',
  merge: 'Merge',
  rebase: 'Rebase and merge',
};

interface Props {
  worktree: WorktreeDetails;
  /** HEAD of the diff the operator reviewed. */
  tree: string | undefined;
  onClose: () => void;
}

/** Shows what a merge will do before it runs. */
export function MergeDialog({ worktree, tree, onClose }: Props) {
  const { id, name, base, status, sessions } = worktree;
  const [strategy, setStrategy] = useState<MergeStrategy>('squash');
  const [into, setInto] = useState(base?.branch ?? '');
  const [message, setMessage] = useState('');
  const { merge } = useWorktreeActions();
  const check = status?.merge?.into === into ? status.merge : null;
  const uncommitted = (status?.changed ?? 0) + (status?.untracked ?? 0);
  const strays = status && worktree.branch !== null && status.headBranch !== worktree.branch;
  const submit = () =>
    merge.mutate(
      { id, strategy, into, ...(message.trim() ? { message: message.trim() } : {}), ...(tree ? { tree } : {}) },
      {
        onSuccess: () => {
          toast({ text: `Merged ${name} into ${into}` });
          onClose();
        },
      },
    );
  return (
    <ActionDialog
      title={`Merge ${name}`}
      action={`${BUTTON[strategy]}${into && ` into ${into}`}`}
      icon={GitMerge}
      isDisabled={into.trim() === ''}
      isPending={merge.isPending}
      error={merge.error && messageOf(merge.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className="flex flex-col gap-1">
        <span className="font-medium">Into branch</span>
        <input
          className="field font-mono"
          value={into}
          spellCheck={false}
          onChange={(event) => setInto(event.target.value)}
        />
      </label>
      <div className="flex flex-col items-start gap-1.5">
        <Segmented label="How" value={strategy} options={STRATEGIES} onChange={setStrategy} />
        <p className="text-ink-2">{explain(strategy, { into, ahead: status?.ahead ?? 0, uncommitted })}</p>
      </div>
      {(strategy !== 'rebase' || uncommitted > 0) && (
        <label className="flex flex-col gap-1">
          <span className="font-medium">Commit message</span>
          <textarea
            className="field py-2"
            rows={3}
            placeholder={`Merge ${name}`}
            value={message}
            onChange={(event) => setMessage(event.target.value)}
          />
        </label>
      )}
      {sessions.some(({ isLive }) => isLive) && (
        <p className="notice" data-tone="amber">
          A session is still working here. Its later changes won't be merged.
        </p>
      )}
      {strays && (
        <p className="notice" data-tone="amber">
          The agent moved to {status.headBranch ?? 'a detached commit'}; it started on {worktree.branch}. The current
          files will be merged.
        </p>
      )}
      {check?.outcome === 'conflicts' && (
        <p className="notice" data-tone="red">
          Conflicts with {into} in {check.conflicts.join(', ')}. Ask the agent to merge {into} into its branch first.
        </p>
      )}
      {check && check.baseDirty > 0 && (
        <p className="notice" data-tone="red">
          The checkout of {into} has {countOf(check.baseDirty, 'changed file')}. Commit or stash first.
        </p>
      )}
      <p className="text-ink-3">The worktree and its branch aren't changed.</p>
    </ActionDialog>
  );
}

function explain(
  strategy: MergeStrategy,
  { into, ahead, uncommitted }: { into: string; ahead: number; uncommitted: number },
) {
  const target = into || 'the branch';
  const own = [
    ...(ahead > 0 ? [countOf(ahead, 'commit')] : []),
    ...(uncommitted > 0 ? [`${countOf(uncommitted, 'uncommitted file')}`] : []),
  ].join(' and ');
  const what = own || 'all changes';
  if (strategy === 'squash') return `Adds one commit to ${target} with ${what}.`;
  if (strategy === 'merge') return `Adds a merge commit to ${target} with ${what}.`;
  return `Adds ${what} on top of ${target}, one commit at a time.`;
}
