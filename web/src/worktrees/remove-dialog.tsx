import { useNavigate } from '@tanstack/react-router';
import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { WorktreeDetails } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';
import { useWorktreeActions } from './use-worktrees.ts';

/** Shows what will be removed, what is kept, and where. */
export function RemoveDialog({ worktree, onClose }: { worktree: WorktreeDetails; onClose: () => void }) {
  const { id, name, kind, path, status, sessions, branch, problem } = worktree;
  const { remove, restore } = useWorktreeActions();
  const navigate = useNavigate();
  const live = sessions.filter(({ isLive }) => isLive);
  const uses = live.map(({ title }) => `“${clipLine(title, 80)}” is working in it.`);
  const reasons = [...uses, ...(status?.removal.reasons ?? []), ...(problem === null ? [] : [problem])];
  const [isSure, setSure] = useState(false);
  const submit = () =>
    remove.mutate(
      { id, force: reasons.length > 0 },
      {
        onSuccess: ({ snapshot }) => {
          toast({
            text: `Removed ${name}`,
            action: {
              label: 'Undo',
              run: () =>
                restore.mutate(snapshot.id, { onError: (error) => toast({ tone: 'red', text: messageOf(error) }) }),
            },
          });
          void navigate({ to: '/worktrees' });
        },
      },
    );
  return (
    <ActionDialog
      title={`Remove ${name}`}
      action={reasons.length > 0 ? 'Remove anyway' : 'Remove worktree'}
      icon={Trash2}
      isDestructive
      isDisabled={reasons.length > 0 && !isSure}
      isPending={remove.isPending}
      error={remove.error && messageOf(remove.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        Deletes <code className="code break-all">{path}</code>
      </p>
      {reasons.length > 0 && (
        <div className="notice" data-tone="amber">
          <p className="font-medium">
            {reasons.length > uses.length
              ? 'This worktree has work that exists nowhere else:'
              : 'This worktree is in use:'}
          </p>
          <ul className="list-disc pl-5">
            {reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        </div>
      )}
      <Kept title="Kept in a snapshot you can restore">
        {kind === 'scratch' ? (
          <li>The whole folder</li>
        ) : (
          <>
            <li>All files as they are now, and commits that no branch has</li>
            {branch && <li>The branch {branch}, if it has its own commits</li>}
            {status?.removal.ignored.kept.map((file) => (
              <li key={file} className="font-mono break-all">
                {file}
              </li>
            ))}
          </>
        )}
      </Kept>
      {status && status.removal.ignored.deleted.length > 0 && (
        <Kept title="Deleted for good: ignored folders that can be rebuilt">
          {status.removal.ignored.deleted.map((file) => (
            <li key={file} className="font-mono break-all">
              {file}
            </li>
          ))}
        </Kept>
      )}
      {status && status.removal.ignored.tooLarge.length > 0 && (
        <Kept title="Deleted for good: too large for a snapshot">
          {status.removal.ignored.tooLarge.map((file) => (
            <li key={file} className="font-mono break-all">
              {file}
            </li>
          ))}
        </Kept>
      )}
      {reasons.length > 0 && (
        <label className="flex items-start gap-2.5">
          <input
            type="checkbox"
            className="mt-1 shrink-0"
            checked={isSure}
            onChange={(event) => setSure(event.target.checked)}
          />
          Remove it anyway, and keep the snapshot
        </label>
      )}
    </ActionDialog>
  );
}

function Kept({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <div>
      <p className="font-medium">{title}</p>
      <ul className="max-h-40 list-disc overflow-y-auto pl-5 text-ink-2">{children}</ul>
    </div>
  );
}
