import type { RuleDecision, RuleDraft } from '../../../src/contract/rules.ts';
import { textsOf, toConditions } from './rule-conditions.ts';

/** A rule being typed: every field is text, nothing is validated yet. */
export interface RuleFields {
  decision: RuleDecision;
  scope: RuleDraft['scope'];
  project: string;
  sessionId: string;
  toolName: string;
  parameters: Array<{ key: string; name: string; glob: string }>;
  reason: string;
  priority: string;
  /** By name, see rule-conditions.ts. */
  conditions: Record<string, string>;
  enabled: boolean;
}

export function fieldsOf(draft: RuleDraft | null): RuleFields {
  const parameters = Object.entries(draft?.pattern.parameters ?? { command: '' });
  return {
    decision: draft?.decision ?? 'allow',
    scope: draft?.scope ?? 'global',
    project: draft?.project ?? '',
    sessionId: draft?.sessionId ?? '',
    toolName: draft?.pattern.toolName ?? 'Bash',
    parameters: parameters.map(([name, glob]) => ({ key: name, name, glob })),
    reason: draft?.reason ?? '',
    priority: String(draft?.priority ?? 0),
    conditions: textsOf(draft),
    enabled: draft?.enabled ?? true,
  };
}

/** null: a required field is missing. The daemon validates the rest. */
export function toRuleDraft(fields: RuleFields): RuleDraft | null {
  const toolName = fields.toolName.trim();
  const given = fields.parameters.filter(({ name, glob }) => name.trim() || glob);
  const unfinished = given.some(({ name, glob }) => !name.trim() || !glob);
  const place = placeOf(fields);
  const conditions = toConditions(fields.conditions);
  if (!toolName || unfinished || !place || !conditions) return null;
  return {
    ...place,
    pattern: { toolName, parameters: Object.fromEntries(given.map(({ name, glob }) => [name.trim(), glob])) },
    decision: fields.decision,
    priority: Math.trunc(Number(fields.priority) || 0),
    enabled: fields.enabled,
    reason: fields.reason.trim(),
    ...conditions,
  };
}

function placeOf({ scope, project, sessionId }: RuleFields): Pick<RuleDraft, 'scope' | 'project' | 'sessionId'> | null {
  if (scope === 'global') return { scope };
  if (scope === 'project') return project.trim() ? { scope, project: project.trim().replace(/(?<=.)\/+$/, '') } : null;
  return sessionId.trim() ? { scope, sessionId: sessionId.trim() } : null;
}
