import { useMutation } from '@tanstack/react-query';
import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import { stopMany } from '../../../src/contract/routes/control.ts';
import { useRole } from '../access/use-role.ts';
import { call, messageOf } from '../api/request.ts';
import { usePaletteActions } from '../app/palette-actions.ts';
import { useBoard, useLive } from '../live/live.ts';
import { Dialog } from '../ui/dialog.tsx';
import { clipLine } from '../ui/format.ts';
import { toast } from '../ui/toasts.tsx';

const LISTED = 12;

/** Stops every running session in view, after listing them. */
export function StopAll() {
  const { store } = useLive();
  const { ids } = useBoard().columns.autonomous;
  const viewer = useRole() === 'viewer';
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const open = () => setChosen(ids);
  usePaletteActions(() =>
    viewer || ids.length === 0
      ? []
      : [{ label: `Stop all ${ids.length} running sessions…`, icon: OctagonX, run: open }],
  );
  const stop = useMutation({
    mutationFn: (which: readonly string[]) => call(stopMany, { body: { ids: [...which] } }),
    onSuccess: ({ stops }) => {
      setChosen(null);
      toast({ text: `Stopping ${countOf(stops.length)}. Each card shows when it has stopped.` });
    },
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
  });
  if (viewer || (ids.length === 0 && !chosen)) return null;
  return (
    <>
      <button type="button" className="button" onClick={open}>
        <OctagonX aria-hidden size={15} /> Stop all…
      </button>
      {chosen && (
        <Dialog
          title={`Stop ${countOf(chosen.length)}?`}
          onClose={() => setChosen(null)}
          footer={
            <>
              <button type="button" className="button" onClick={() => setChosen(null)}>
                Cancel
              </button>
              <button
                type="button"
                className="button"
                data-kind="primary"
                disabled={stop.isPending}
                onClick={() => stop.mutate(chosen)}
              >
                Stop {countOf(chosen.length)}
              </button>
            </>
          }
        >
          <p className="mb-2 text-ink-2">This ends their turns. You can continue the sessions later.</p>
          <ul className="flex flex-col gap-1">
            {chosen.slice(0, LISTED).map((id) => (
              <li key={id} className="truncate">
                <bdi>{clipLine(store.get(id)?.title ?? id, 120)}</bdi>
              </li>
            ))}
          </ul>
          {chosen.length > LISTED && <p className="text-ink-3">and {chosen.length - LISTED} more</p>}
        </Dialog>
      )}
    </>
  );
}

const countOf = (count: number) => (count === 1 ? '1 session' : `${count} sessions`);
