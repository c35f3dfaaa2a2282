import type { LiveSession, SessionEvent, SessionEvents } from '../../contract/sessions.ts';
import type { Timeline } from '../../contract/timeline.ts';
import { translate } from '../drivers/to-agent-events.ts';
import { DomainError } from '../errors.ts';
import type { Draft, Journal } from '../journal/journal.ts';
import { clip } from './clip.ts';
import type { LiveModel } from './live-model.ts';
import type { RemovedSessions } from './removed-sessions.ts';
import type { Session } from './session.ts';
import { readTimeline } from './timeline.ts';
import { isOfSession, transition } from './transition.ts';

interface Deps {
  journal: Journal;
  live: LiveModel;
  left: RemovedSessions;
  record: (draft: Draft) => Promise<unknown>;
}

/** A session on the board, or one that left it, as it was then. */
export function requireSession({ journal, live, left }: Omit<Deps, 'record'>, id: string): LiveSession {
  const view = live.view(id);
  if (view) return view;
  const session = withJournal(left.find(id), { journal, id });
  if (session) left.keepAtHand(session);
  if (!session || session.gone === 'deleted') throw unknownSession(id);
  return live.viewOf(session);
}

export function unknownSession(id: string): DomainError {
  return new DomainError('session.unknown', 404, `No session ${id}. GET /api/sessions lists the ones on the board.`);
}

/** Its later events in the journal: none, unless we were killed after it left, or it left before such sessions were saved. */
function withJournal(known: Session | undefined, { journal, id }: { journal: Journal; id: string }) {
  let session = known;
  for (const event of journal.eventsOf(id, { after: known?.seq ?? 0 })) {
    if (isOfSession(event)) session = transition(session, translate(event));
  }
  return session;
}

export async function renameSession(deps: Deps, id: string, title: string | null): Promise<LiveSession> {
  requireInView(deps, id);
  await deps.record({ sessionId: id, source: 'operator', name: 'session.titled', payload: { title } });
  return requireSession(deps, id);
}

/**
 * Removes it from the board. The journal keeps its events; a live session comes back when it reports something, and an ended one can still
 * be viewed.
 */
export async function deleteSession(deps: Deps, id: string): Promise<void> {
  requireInView(deps, id);
  const name = deps.live.view(id)?.endedAt === null ? 'session.deleted' : 'session.dismissed';
  await deps.record({ sessionId: id, source: 'operator', name, payload: {} });
}

function requireInView(deps: Deps, id: string): void {
  if (deps.live.view(id)) return;
  requireSession(deps, id);
  throw new DomainError(
    'session.not_in_view',
    409,
    `Session ${id} has ended and left the board, so its record can't be changed.`,
  );
}

interface EventsQuery {
  after: number;
  limit: number;
  before?: number | undefined;
  from?: 'start' | 'end';
  brief?: boolean;
}

export function listEvents(deps: Deps, id: string, query: EventsQuery): SessionEvents {
  if (!deps.live.view(id) && !deps.journal.knowsSession(id)) throw unknownSession(id);
  const { limit } = query;
  const before = query.before ?? (query.from === 'end' ? Number.MAX_SAFE_INTEGER : undefined);
  const found: SessionEvent[] =
    before === undefined
      ? deps.journal.sessionEvents(id, query)
      : deps.journal.sessionEventsBefore(id, { before, limit });
  const isFull = found.length === limit;
  return {
    events: query.brief ? found.map(shorten) : found,
    nextAfter: before === undefined && isFull ? found.at(-1)!.seq : null,
    nextBefore: before !== undefined && isFull ? found[0]!.seq : null,
  };
}

export async function timelineOf(deps: Deps, id: string, query: { limit: number }): Promise<Timeline> {
  if (!deps.live.view(id) && !deps.journal.knowsSession(id)) throw unknownSession(id);
  return readTimeline({ journal: deps.journal, translate }, id, query);
}

/** A tool's output may be megabytes, and a timeline needs only its name and time. */
function shorten(event: SessionEvent): SessionEvent {
  return { ...event, payload: clip(event.payload, { string: 300, items: 40, depth: 4 }) as SessionEvent['payload'] };
}
