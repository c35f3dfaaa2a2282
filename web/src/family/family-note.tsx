import { Link } from '@tanstack/react-router';
import { CornerLeftUp, Network } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { columnOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useLive, useSession } from '../live/live.ts';
import { clipLine, countOf } from '../ui/format.ts';
import { useChildren } from './use-family.ts';

/** Which session started this one, and which ones it started. */
export function FamilyNote({ session }: { session: LiveSession }) {
  const parentId = session.orchestration?.parentId ?? null;
  const children = useChildren(session.id);
  if (parentId === null && children.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1 text-sm text-ink-3" data-family>
      {parentId !== null && <StartedBy id={parentId} />}
      {children.length > 0 && <Started id={session.id} ids={children} />}
    </ul>
  );
}

function StartedBy({ id }: { id: string }) {
  const parent = useSession(id);
  return (
    <li className="flex items-baseline gap-1.5">
      <CornerLeftUp aria-hidden size={13} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0 truncate">
        Started by{' '}
        <Link to="/sessions/$sessionId" params={{ sessionId: id }} preload={false} className="link above">
          <bdi>{clipLine(nameOf(parent) ?? id, 80)}</bdi>
        </Link>
      </span>
    </li>
  );
}

function Started({ id, ids }: { id: string; ids: readonly string[] }) {
  const { store } = useLive();
  const counts = useSyncExternalStore(store.subscribe, () => {
    const sessions = ids.flatMap((one) => store.get(one) ?? []);
    const running = sessions.filter((one) => columnOf(one) === 'autonomous').length;
    // an idle session has nothing to answer
    const waiting = sessions.filter((one) => columnOf(one) === 'needs_you' && one.agentState.state !== 'idle').length;
    return [running > 0 && `${running} running`, waiting > 0 && `${waiting} need${waiting === 1 ? 's' : ''} you`]
      .filter(Boolean)
      .join(', ');
  });
  return (
    <li className="flex items-baseline gap-1.5">
      <Network aria-hidden size={13} className="shrink-0 translate-y-0.5" />
      <span className="min-w-0">
        <Link
          to="/sessions/$sessionId"
          params={{ sessionId: id }}
          search={{ tab: 'tree' }}
          preload={false}
          className="link above"
        >
          Started {countOf(ids.length, 'session')}
        </Link>
        {counts && `: ${counts}`}
      </span>
    </li>
  );
}

const nameOf = (session: LiveSession | undefined) => session?.orchestration?.name ?? session?.title;
