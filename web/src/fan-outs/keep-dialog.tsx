import { GitBranchPlus, GitMerge } from 'lucide-react';
import { useState } from 'react';
import type { FanOut, FanOutRun, KeepRequest } from '../../../src/contract/fan-outs.ts';
import type { MergeStrategy } from '../../../src/contract/worktrees.ts';
import { messageOf } from '../api/request.ts';
import { ActionDialog } from '../ui/action-dialog.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { toast } from '../ui/toasts.tsx';
import { STRATEGIES } from '../worktrees/merge-dialog.tsx';
import { useFanOutActions } from './use-fan-outs.ts';

const HOW = [
  { value: 'merge' as const, label: 'Merge it', icon: <GitMerge aria-hidden size={15} /> },
  { value: 'branch' as const, label: 'Make it a branch', icon: <GitBranchPlus aria-hidden size={15} /> },
];

interface Props {
  fanOut: FanOut;
  run: FanOutRun;
  /** HEAD of the diff the operator reviewed. */
  tree: string | undefined;
  onClose: () => void;
}

/** Says what happens to the winner and to the others. */
export function KeepDialog({ fanOut, run, tree, onClose }: Props) {
  const { id, name, base, runs } = fanOut;
  const [how, setHow] = useState<KeepRequest['how']>(base.branch === null ? 'branch' : 'merge');
  const [strategy, setStrategy] = useState<MergeStrategy>('squash');
  const [into, setInto] = useState(base.branch ?? '');
  const [branch, setBranch] = useState(name);
  const [message, setMessage] = useState('');
  const { keep } = useFanOutActions();
  const target = (how === 'merge' ? into : branch).trim();
  const text = message.trim() ? { message: message.trim() } : {};
  const submit = () =>
    keep.mutate(
      how === 'merge'
        ? { id, run: run.name, how, strategy, into: target, ...text, ...(tree ? { tree } : {}) }
        : { id, run: run.name, how, branch: target, ...text },
      {
        onSuccess: () => {
          toast({ text: how === 'merge' ? `Merged ${run.name} into ${target}` : `Created branch ${target}` });
          onClose();
        },
      },
    );
  return (
    <ActionDialog
      title={`Keep ${run.name}`}
      action={how === 'merge' ? `Merge into ${target || 'a branch'}` : `Create branch ${target}`}
      icon={how === 'merge' ? GitMerge : GitBranchPlus}
      isDisabled={target === ''}
      isPending={keep.isPending}
      error={keep.error && messageOf(keep.error)}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segmented label="What to do with it" value={how} options={HOW} onChange={setHow} />
      <label className="flex flex-col gap-1">
        <span className="font-medium">{how === 'merge' ? 'Into branch' : 'Branch'}</span>
        <input
          data-first
          className="field font-mono"
          spellCheck={false}
          value={how === 'merge' ? into : branch}
          onChange={({ target: field }) => (how === 'merge' ? setInto : setBranch)(field.value)}
        />
      </label>
      {how === 'merge' && <Segmented label="How" value={strategy} options={STRATEGIES} onChange={setStrategy} />}
      <label className="flex flex-col gap-1">
        <span className="font-medium">Commit message</span>
        <textarea
          className="field py-2"
          rows={2}
          placeholder={`Merge ${run.name}`}
          value={message}
          onChange={({ target: field }) => setMessage(field.value)}
        />
      </label>
      <p className="text-ink-2">
        The worktrees of the {runs.length === 2 ? 'other run' : `other ${runs.length - 1} runs`} are removed. Each is
        kept as a snapshot that you can restore.
      </p>
    </ActionDialog>
  );
}
