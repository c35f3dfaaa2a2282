import type { AuditEntry, AuditQuery } from '../../contract/audit.ts';
import type { Journal } from '../journal/journal.ts';
import { toAuditEntry } from './audit-entry.ts';

/** Approvals are recorded when they are asked, too; the record is of what was decided. */
const NOT_ACTIONS = ['approval.requested'];

/** The record of every decision, rule change and stop: the journal, seen from the operator's side. Append-only with it. */
export function* readAudit(journal: Journal, query: Omit<AuditQuery, 'limit'>): Generator<AuditEntry> {
  const { action, sessionId, by, since, until, after } = query;
  for (const event of journal.controlEvents(after)) {
    if (NOT_ACTIONS.includes(event.name) || (action && !event.name.startsWith(action))) continue;
    if ((sessionId && event.sessionId !== sessionId) || (since && event.at < since) || (until && event.at > until))
      continue;
    const entry = toAuditEntry(event);
    if (!by || entry.by.toLowerCase().includes(by.toLowerCase())) yield entry;
  }
}

export function auditPage(
  journal: Journal,
  { limit, ...query }: AuditQuery,
): { entries: AuditEntry[]; nextAfter: number | null } {
  const entries: AuditEntry[] = [];
  for (const entry of readAudit(journal, query)) {
    entries.push(entry);
    if (entries.length === limit) return { entries, nextAfter: entry.seq };
  }
  return { entries, nextAfter: null };
}
