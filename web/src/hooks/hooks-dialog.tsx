import { useEffect, useState } from 'react';
import type { HooksChange, HooksPreview } from '../../../src/contract/hooks.ts';
import { previewHooks } from '../../../src/contract/routes/hooks.ts';
import { call, messageOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DiffView } from './diff-view.tsx';
import type { HooksControl } from './use-hooks.ts';

interface Props {
  change: HooksChange;
  hooks: HooksControl;
  onClose: () => void;
}

const WORDS = {
  install: {
    title: 'Connect Claude Code',
    about:
      'Claude Code reports what each session does through hooks in its settings. This is the entire change. It is undone when Ground Control stops.',
    leave: 'Not now',
    act: 'Install hooks',
    busy: 'Installing…',
  },
  remove: {
    title: 'Disconnect Claude Code',
    about:
      "Without hooks, Ground Control can't see or answer sessions until you install them again. This is the entire change.",
    leave: 'Keep hooks',
    act: 'Remove hooks',
    busy: 'Removing…',
  },
} as const;

/** Shows the exact change to the operator's settings before making it. */
export function HooksDialog({ change, hooks, onClose }: Props) {
  const words = WORDS[change];
  const [preview, setPreview] = useState<HooksPreview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    call(previewHooks, { query: { change } }).then(setPreview, (error) => setFailure(messageOf(error)));
  }, [change]);

  const act = async () => {
    if (await hooks[change]()) onClose();
    else setFailure(null);
  };
  const error = failure ?? hooks.error;
  return (
    <Dialog
      title={words.title}
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            {words.leave}
          </button>
          <button type="button" className="button" data-kind="primary" disabled={!preview || hooks.busy} onClick={act}>
            {hooks.busy ? words.busy : words.act}
          </button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-2">{words.about}</p>
        {change === 'install' && hooks.status?.warning && (
          <p className="notice break-words" data-tone="amber">
            {hooks.status.warning}
          </p>
        )}
        {error && (
          <p role="alert" className="notice" data-tone="red">
            {error}
          </p>
        )}
        {preview && (
          <>
            <p className="font-mono text-sm break-all text-ink-3">{preview.path}</p>
            <DiffView diff={preview.diff} />
          </>
        )}
        {!preview && !failure && <p className="text-ink-3">Reading your settings…</p>}
      </div>
    </Dialog>
  );
}
