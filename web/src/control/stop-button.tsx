import { useMutation } from '@tanstack/react-query';
import { ChevronDown, CircleStop, OctagonX } from 'lucide-react';
import type { LiveSession, Stop } from '../../../src/contract/sessions.ts';
import { useRole } from '../access/use-role.ts';
import { messageOf, postJson } from '../api/request.ts';
import { Menu, MenuItem } from '../ui/menu.tsx';
import { toast } from '../ui/toasts.tsx';

type Stoppable = Pick<LiveSession, 'id' | 'stop' | 'endedAt'>;

/** Ends the turn, by the ladder; the menu also ends the process. Nothing is lost: a stopped session can be resumed. */
export function StopButton({ session }: { session: Stoppable }) {
  const { stop, stopping, possible } = useStop(session);
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
        <MenuItem tone="red" onSelect={() => stop({ kill: true })}>
          <OctagonX aria-hidden size={15} /> Stop and end the process
        </MenuItem>
      </Menu>
    </div>
  );
}

/** For the head of a card. While it works it stays where it is, since it may have the focus. */
export function StopIcon({ session }: { session: Stoppable }) {
  const { stop, stopping, possible } = useStop(session);
  if (!possible) return null;
  const label = stopping ? 'Stopping' : 'Stop';
  return (
    <button
      type="button"
      className="card-icon"
      aria-label={label}
      aria-disabled={stopping || undefined}
      title={label}
      onClick={() => !stopping && stop({ kill: false })}
    >
      <CircleStop aria-hidden size={15} />
    </button>
  );
}

function useStop({ id, stop, endedAt }: Stoppable) {
  const viewer = useRole() === 'viewer';
  const asked = useMutation({
    mutationFn: (how: { kill: boolean }) => postJson<Stop>(`/api/sessions/${encodeURIComponent(id)}/stop`, how),
    onError: (error) => toast({ tone: 'red', text: messageOf(error) }),
  });
  return {
    stop: (how: { kill: boolean }) => asked.mutate(how),
    stopping: asked.isPending || stop?.state === 'stopping',
    possible: !viewer && endedAt === null,
  };
}
