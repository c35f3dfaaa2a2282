import { ChevronDown, CircleStop, OctagonX } from 'lucide-react';
import { useRef, useState } from 'react';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { EndDialog } from './end-dialog.tsx';
import { type Stoppable, useStop } from './use-stop.ts';

/** Ends the turn; its menu can also end the process. Nothing is lost: a stopped session can be resumed. */
export function StopButton({ session }: { session: Stoppable }) {
  const { stop, stopping, possible, canEndProcess } = useStop(session);
  const [ending, setEnding] = useState(false);
  if (!possible) return null;
  return (
    <div className="split-button">
      <button type="button" className="button" disabled={stopping} onClick={() => stop({ kill: false })}>
        <CircleStop aria-hidden size={15} /> {stopping ? 'Stopping…' : 'Stop'}
      </button>
      <Menu
        trigger={
          <button type="button" className="button" aria-label="More ways to stop">
            <ChevronDown aria-hidden size={15} />
          </button>
        }
      >
        <MenuItem onSelect={() => stop({ kill: false })} disabled={stopping}>
          <CircleStop aria-hidden size={15} /> Stop the turn
        </MenuItem>
        {canEndProcess && (
          <MenuItem tone="red" onSelect={() => setEnding(true)}>
            <OctagonX aria-hidden size={15} /> End the process…
          </MenuItem>
        )}
      </Menu>
      {ending && <EndDialog session={session} onClose={() => setEnding(false)} />}
    </div>
  );
}

/** For the head of a card. It stays in place while stopping, since it may have the focus. */
export function StopIcon({ session }: { session: Stoppable }) {
  const { stop, stopping, possible } = useStop(session);
  if (!possible) return null;
  return <IconOf stopping={stopping} onStop={() => stop({ kill: false })} />;
}

function IconOf({ stopping, onStop }: { stopping: boolean; onStop: () => void }) {
  const ref = useRef<HTMLButtonElement>(null);
  useReturnFocus(ref);
  const label = stopping ? 'Stopping' : 'Stop';
  return (
    <button
      ref={ref}
      type="button"
      className="card-icon"
      aria-label={label}
      aria-disabled={stopping || undefined}
      title={label}
      onClick={() => !stopping && onStop()}
    >
      <CircleStop aria-hidden size={15} />
    </button>
  );
}
