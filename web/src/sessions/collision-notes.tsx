import { Link } from '@tanstack/react-router';
import { MAX_COLLISIONS } from '../../../src/contract/collisions.ts';
import type { Collision, LiveSession } from '../../../src/contract/sessions.ts';
import { useSession } from '../live/live.ts';
import { clipLine } from '../ui/format.ts';
import { COLLISION_STYLE, describeCollision } from './describe-collision.ts';

const SHOWN = 3;
const HINT = "Changes made by shell commands aren't detected.";

/** Other sessions that write in the same place. */
export function CollisionNotes({ session }: { session: LiveSession }) {
  const { collisions } = session;
  if (collisions.length === 0) return null;
  return (
    <ul data-tone={COLLISION_STYLE.tone} className="flex flex-col gap-1 text-sm" title={HINT} data-collisions>
      {collisions.slice(0, SHOWN).map((collision) => (
        <Note key={collision.sessionId} collision={collision} folder={session.projectPath} />
      ))}
      {collisions.length > SHOWN && (
        <li className="text-ink-3">
          and {collisions.length < MAX_COLLISIONS ? '' : 'at least '}
          {collisions.length - SHOWN} more {collisions.length === SHOWN + 1 ? 'session' : 'sessions'}
        </li>
      )}
    </ul>
  );
}

function Note({ collision, folder }: { collision: Collision; folder: string | null }) {
  const other = useSession(collision.sessionId);
  const { icon: Icon } = COLLISION_STYLE;
  return (
    <li className="flex items-baseline gap-1.5">
      <Icon aria-hidden size={13} className="shrink-0 translate-y-0.5 text-tone" />
      <span className="min-w-0 break-words">
        <bdi>{clipLine(describeCollision(collision, folder), 160)}</bdi>:{' '}
        <Link to="/sessions/$sessionId" params={{ sessionId: collision.sessionId }} className="link above">
          {clipLine(other?.title ?? collision.sessionId, 80)}
        </Link>
      </span>
    </li>
  );
}
