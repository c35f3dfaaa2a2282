import type { LiveSession, SessionEvent } from '../../contract/sessions.ts';
import { DomainError } from '../errors.ts';
import type { Draft, Journal } from '../journal/journal.ts';
import type { LiveModel } from './live-model.ts';
import { toLiveSession } from './live-session.ts';
import type { Session } from './session.ts';
import { transition } from './transition.ts';

interface Deps {
  journal: Journal;
  live: LiveModel;
  record: (draft: Draft) => Promise<unknown>;
}

/** A session in view, or one that has left it, folded anew from the journal. */
export function requireSession({ journal, live }: Deps, id: string): LiveSession {
  const view = live.view(id) ?? fromJournal(journal, id);
  if (!view) throw unknownSession(id);
  return view;
}

function unknownSession(id: string): DomainError {
  return new DomainError('session.unknown', 404, `No session ${id}. GET /api/sessions lists those in view.`);
}

function fromJournal(journal: Journal, id: string): LiveSession | undefined {
  let session: Session | undefined;
  for (const event of journal.eventsOf(id)) session = transition(session, event);
  return session && session.gone !== 'deleted' ? toLiveSession(session) : undefined;
}

export async function renameSession(deps: Deps, id: string, title: string | null): Promise<LiveSession> {
  requireInView(deps, id);
  await deps.record({ sessionId: id, source: 'operator', name: 'session.titled', payload: { title } });
  return requireSession(deps, id);
}

/** Takes it out of view. The journal keeps its events; a session that is still alive comes back when it speaks. */
export async function deleteSession(deps: Deps, id: string): Promise<void> {
  requireInView(deps, id);
  await deps.record({ sessionId: id, source: 'operator', name: 'session.deleted', payload: {} });
}

function requireInView(deps: Deps, id: string): void {
  if (deps.live.view(id)) return;
  requireSession(deps, id);
  throw new DomainError(
    'session.not_in_view',
    409,
    `Session ${id} has ended and left the view; its record cannot be changed.`,
  );
}

export function listEvents(deps: Deps, id: string, { after, limit }: { after: number; limit: number }) {
  if (!deps.live.view(id) && !deps.journal.knowsSession(id)) throw unknownSession(id);
  const events: SessionEvent[] = deps.journal.sessionEvents(id, { after, limit });
  return { events, nextAfter: events.length === limit ? events.at(-1)!.seq : null };
}
