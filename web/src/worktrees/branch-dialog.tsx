import { GitBranchPlus } from 'lucide-react';
import { useState } from 'react';
import type { WorktreeDetails } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { toast } from '../ui/toasts.tsx';
import { useWorktreeActions } from './use-worktrees.ts';

export function BranchDialog({ worktree: { id, name }, onClose }: { worktree: WorktreeDetails; onClose: () => void }) {
  const [wanted, setWanted] = useState(name);
  const { branch } = useWorktreeActions();
  const submit = () =>
    branch.mutate(
      { id, name: wanted.trim() },
      {
        onSuccess: (made) => {
          toast({ text: `Created branch ${made.branch}` });
          onClose();
        },
      },
    );
  return (
    <ActionDialog
      title="Create branch"
      action="Create branch"
      icon={GitBranchPlus}
      isDisabled={wanted.trim() === ''}
      isPending={branch.isPending}
      error={branch.error && messageOf(branch.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className="flex flex-col gap-1">
        <span className="font-medium">Name</span>
        <input
          className="field font-mono"
          value={wanted}
          spellCheck={false}
          onChange={(event) => setWanted(event.target.value)}
        />
      </label>
      <p className="text-ink-2">
        The branch gets everything in the worktree. Uncommitted changes become a commit on top. The worktree isn't
        changed.
      </p>
    </ActionDialog>
  );
}
