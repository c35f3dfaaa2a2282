import { GitBranchPlus } from 'lucide-react';
import { useState } from 'react';
import type { WorktreeDetails } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
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
    <Dialog
      title="Create branch"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={wanted.trim() === '' || branch.isPending}
            onClick={submit}
          >
            <GitBranchPlus aria-hidden size={15} /> Create branch
          </button>
        </>
      }
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
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
          The branch gets everything in the worktree. Uncommitted changes become a commit on top. The worktree stays as
          it is.
        </p>
        {branch.error && (
          <p role="alert" className="notice" data-tone="red">
            {messageOf(branch.error)}
          </p>
        )}
      </form>
    </Dialog>
  );
}
