import { sep } from 'node:path';
import type { Collision } from '../../contract/sessions.ts';
import type { Session } from '../sessions/session.ts';

/** Sessions whose last writes are further apart than this don't collide. */
const APART_MS = 60 * 60_000;
const MAX_FILES = 20;

export type Writer = Pick<Session, 'id' | 'cwd' | 'checkout' | 'endedAt' | 'gone' | 'written'>;

/** What two live sessions both write, from the first one's point of view. undefined: nothing. */
export function collide(a: Writer, b: Writer): Collision | undefined {
  if (!isLive(a) || !isLive(b) || a.id === b.id) return undefined;
  const theirs = new Map(b.written.map(({ path, at }) => [path, at]));
  const both = a.written.flatMap(({ path, at }) => {
    const other = theirs.get(path);
    return other !== undefined && Math.abs(at - other) <= APART_MS ? [{ path, at: Math.max(at, other) }] : [];
  });
  const place = sharedPlace(a, b);
  if (both.length === 0 && !place) return undefined;
  const since = Math.min(...both.map(({ at }) => at), place?.at ?? Number.POSITIVE_INFINITY);
  return {
    sessionId: b.id,
    place: place?.path ?? null,
    files: both.slice(0, MAX_FILES).map(({ path }) => path),
    since,
  };
}

const isLive = ({ endedAt, gone }: Writer): boolean => endedAt === null && gone === null;

/** A checkout, or a folder outside a repository, that both wrote to recently. */
function sharedPlace(a: Writer, b: Writer): { path: string; at: number } | undefined {
  const path = placeOf(a);
  if (path === null || path !== placeOf(b)) return undefined;
  const [mine, theirs] = [lastWriteIn(a, path), lastWriteIn(b, path)];
  if (mine === undefined || theirs === undefined || Math.abs(mine - theirs) > APART_MS) return undefined;
  return { path, at: Math.max(mine, theirs) };
}

export const placeOf = ({ checkout, cwd }: Writer): string | null => checkout ?? cwd;

function lastWriteIn({ written }: Writer, path: string): number | undefined {
  return written.findLast((file) => file.path.startsWith(path + sep))?.at;
}
