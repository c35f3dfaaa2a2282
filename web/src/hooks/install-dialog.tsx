import { useEffect, useState } from 'react';
import type { HooksPreview } from '../../../src/contract/hooks.ts';
import { getJson, messageOf } from '../api/request.ts';
import { Dialog } from '../ui/dialog.tsx';
import { DiffView } from './diff-view.tsx';
import type { HooksControl } from './use-hooks.ts';

/** The exact change to the operator's settings, before it is made. */
export function InstallDialog({ hooks, onClose }: { hooks: HooksControl; onClose: () => void }) {
  const [preview, setPreview] = useState<HooksPreview | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  useEffect(() => {
    getJson<HooksPreview>('/api/hooks/preview').then(setPreview, (error) => setFailure(messageOf(error)));
  }, []);

  const install = async () => {
    if (await hooks.install()) onClose();
    else setFailure(null);
  };
  const error = failure ?? hooks.error;
  return (
    <Dialog
      title="Connect Claude Code"
      onClose={onClose}
      footer={
        <>
          <button type="button" className="button" onClick={onClose}>
            Not now
          </button>
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={!preview || hooks.busy}
            onClick={install}
          >
            {hooks.busy ? 'Installing…' : 'Install hooks'}
          </button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="text-ink-2">
          Claude Code tells Ground Control what each session does through hooks in its settings. This is the whole
          change; nothing else in the file is touched, and it is undone when Ground Control stops.
        </p>
        {error && (
          <p role="alert" className="notice" data-tone="red">
            {error}
          </p>
        )}
        {preview && (
          <>
            <p className="font-mono text-[0.8929rem] break-all text-ink-3">{preview.path}</p>
            <DiffView diff={preview.diff} />
          </>
        )}
        {!preview && !failure && <p className="text-ink-3">Reading your settings…</p>}
      </div>
    </Dialog>
  );
}
