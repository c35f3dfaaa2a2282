import type { Approval } from '../../contract/approvals.ts';
import type { AuditEntry } from '../../contract/audit.ts';
import type { Stop } from '../../contract/sessions.ts';
import type { JournalEvent } from '../journal/journal.ts';

/** An event's entry in the audit record. */
export function toAuditEntry({ seq, at, sessionId, source, name, payload }: JournalEvent): AuditEntry {
  const entry: AuditEntry = {
    seq,
    at,
    action: name,
    by: text(payload.by) ?? source,
    sessionId: sessionId || null,
    outcome: text(payload.decision),
    toolName: text(payload.toolName),
    toolInput: payload.toolInput ?? null,
    ruleId: text(payload.ruleId),
    waitedMs: null,
    detail: text(payload.detail) ?? text(payload.why) ?? text(payload.text) ?? text(payload.title),
  };
  if (payload.approval)
    return {
      ...entry,
      ...fromApproval(payload.approval as Approval),
      ...fromDelivery(name, payload.approval as Approval),
    };
  if (payload.stop) return { ...entry, ...fromStop(payload.stop as Stop) };
  return entry;
}

function fromApproval({
  status,
  decision,
  toolName,
  toolInput,
  ruleId,
  createdAt,
  settledAt,
  closedBy,
  closedWhy,
}: Approval): Partial<AuditEntry> {
  return {
    by: decision?.by ?? closedBy ?? (status === 'answered_in_terminal' ? 'terminal' : 'control'),
    outcome: decision?.decision ?? status,
    toolName,
    toolInput,
    ruleId: decision?.ruleId ?? ruleId ?? null,
    waitedMs: settledAt === undefined ? null : settledAt - createdAt,
    detail: decision?.message ?? decision?.reason ?? closedWhy ?? null,
  };
}

/** The delivery of a decision is a separate entry. */
function fromDelivery(name: string, { delivery }: Approval): Partial<AuditEntry> {
  if (name !== 'approval.delivered' && name !== 'approval.not_delivered') return {};
  return { outcome: delivery?.state ?? null, detail: delivery?.why ?? null, waitedMs: null };
}

function fromStop(stop: Stop): Partial<AuditEntry> {
  const { state, requestedBy, reason, requestedAt, stoppedAt, receipt, unreached } = stop;
  if (unreached) return { by: 'control', outcome: 'unreached', detail: unreached.why };
  return {
    by: requestedBy,
    outcome: state,
    waitedMs: stoppedAt === null ? null : stoppedAt - requestedAt,
    detail: receipt ? `${reason}: ${receipt.steps.map(({ step }) => step).join(', ')}` : reason,
  };
}

const text = (value: unknown): string | null => (typeof value === 'string' && value ? value : null);
