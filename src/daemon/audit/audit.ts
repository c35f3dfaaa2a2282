import type { AuditEntry, AuditPage, AuditQuery } from '../../contract/audit.ts';
import type { Journal } from '../journal/journal.ts';
import { toAuditEntry } from './audit-entry.ts';
import { type AuditFilter, controlEvents } from './control-events.ts';

/** The record of every decision, rule change and stop: the journal from the operator's point of view, and append-only like it. */
export function* readAudit(journal: Journal, filter: AuditFilter): Generator<AuditEntry> {
  for (const event of controlEvents(journal.db, filter)) yield toAuditEntry(event);
}

export function auditPage(journal: Journal, { limit, ...filter }: AuditQuery): AuditPage {
  const entries: AuditEntry[] = [];
  for (const entry of readAudit(journal, filter)) {
    entries.push(entry);
    if (entries.length < limit) continue;
    const isNewestFirst = filter.order === 'newest';
    return { entries, nextAfter: isNewestFirst ? null : entry.seq, nextBefore: isNewestFirst ? entry.seq : null };
  }
  return { entries, nextAfter: null, nextBefore: null };
}
