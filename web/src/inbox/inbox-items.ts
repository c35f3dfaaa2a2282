import type { Approval } from '../../../src/contract/approvals.ts';
import { columnOf } from '../../../src/contract/groups.ts';
import type { LiveSession } from '../../../src/contract/sessions.ts';

/** One inbox item. Its key stays the same for as long as it waits. */
export type InboxItem =
  | { key: string; kind: 'approval'; approval: Approval; sessionId: string; since: number }
  | { key: string; kind: 'session'; sessionId: string; since: number }
  | { key: string; kind: 'collision'; sessionId: string; since: number };

/** Requests, then sessions that write in the same place, then idle sessions. Oldest first in each. */
export function inboxItems(
  pending: readonly Approval[],
  sessions: Iterable<LiveSession>,
  isAnswered: (session: LiveSession) => boolean,
): InboxItem[] {
  const asking = new Set(pending.map(({ sessionId }) => sessionId));
  const approvals = pending.map(
    (approval): InboxItem => ({
      key: approval.id,
      kind: 'approval',
      approval,
      sessionId: approval.sessionId,
      since: approval.createdAt,
    }),
  );
  const resting: InboxItem[] = [];
  const collisions = new Map<string, InboxItem>();
  for (const session of sessions) {
    for (const { sessionId, since } of session.collisions) {
      // Both sessions report it.
      const key = `collision:${[session.id, sessionId].sort().join(':')}`;
      if (!collisions.has(key)) collisions.set(key, { key, kind: 'collision', sessionId: session.id, since });
    }
    if (asking.has(session.id) || columnOf(session) !== 'needs_you' || isAnswered(session)) continue;
    resting.push({ key: `session:${session.id}`, kind: 'session', sessionId: session.id, since: session.stateSince });
  }
  const oldestFirst = (a: InboxItem, b: InboxItem) => a.since - b.since || (a.key < b.key ? -1 : 1);
  return [...approvals, ...[...collisions.values()].sort(oldestFirst), ...resting.sort(oldestFirst)];
}

/** Where to go when the selected item disappears: the same position in the list. */
export function placeAfter(
  items: readonly InboxItem[],
  before: readonly InboxItem[],
  key: string | null,
): string | null {
  if (items.some((item) => item.key === key)) return key;
  const index = before.findIndex((item) => item.key === key);
  return items[Math.min(Math.max(index, 0), items.length - 1)]?.key ?? null;
}

/** The next undecided request after the one just decided. */
export function nextToAnswer(items: readonly InboxItem[], key: string): string | undefined {
  const at = items.findIndex((item) => item.key === key);
  const after = [...items.slice(at + 1), ...items.slice(0, Math.max(0, at))];
  return after.find((item) => item.kind === 'approval' && !item.approval.held)?.key;
}
