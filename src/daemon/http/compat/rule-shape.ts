import { z } from 'zod';
import { RULE_DECISIONS, RULE_SCOPES, type Rule, type RuleDraft, RulePattern } from '../../../contract/rules.ts';
import { iso } from './iso.ts';

const MAX_PRIORITY = 1000;
const { toolName, parameters } = RulePattern.shape;

const fields = {
  pattern: z.object({ tool_name: toolName, parameters }),
  decision: z.enum(RULE_DECISIONS),
  reason: z.string().trim().max(500),
  enabled: z.boolean(),
  priority: z.number().int().min(-MAX_PRIORITY).max(MAX_PRIORITY).describe('Lower wins'),
  expires_at: z.iso.datetime({ offset: true }).nullable(),
};

/** A rule in the documents' format. Only the pattern and decision are required. */
export const CompatRuleDraft = z.object({
  ...fields,
  reason: fields.reason.default(''),
  enabled: fields.enabled.default(true),
  priority: fields.priority.default(0),
  expires_at: fields.expires_at.optional(),
});
export type CompatRuleDraft = z.infer<typeof CompatRuleDraft>;

/** Omitted fields stay unchanged. */
export const CompatRuleChange = z.object(fields).partial();

export type Scope = Pick<RuleDraft, 'scope' | 'sessionId' | 'project'>;

/** In the documents, the lower priority wins; ours is the other way around. */
export function toRuleDraft({ pattern, priority, expires_at, ...rest }: CompatRuleDraft, scope: Scope): RuleDraft {
  return {
    ...rest,
    ...scope,
    // not -0, which JSON doesn't have
    priority: 0 - priority,
    pattern: { toolName: pattern.tool_name, parameters: pattern.parameters },
    ...(expires_at ? { expiresAt: Date.parse(expires_at) } : {}),
  };
}

export function changeRule(rule: Rule, change: z.infer<typeof CompatRuleChange>): RuleDraft {
  const { scope, sessionId, project } = rule;
  const known = toCompatRule(rule);
  const draft = {
    pattern: change.pattern ?? known.pattern,
    decision: change.decision ?? known.decision,
    reason: change.reason ?? known.reason,
    enabled: change.enabled ?? known.enabled,
    priority: change.priority ?? known.priority,
    expires_at: change.expires_at === undefined ? known.expires_at : change.expires_at,
  };
  return toRuleDraft(draft, { scope, ...(sessionId ? { sessionId } : {}), ...(project ? { project } : {}) });
}

export const CompatRule = z.object({
  id: z.string(),
  session_id: z.string().nullable(),
  scope: z.enum(RULE_SCOPES),
  project: z.string().nullable(),
  created_at: z.string(),
  updated_at: z.string(),
  ...fields,
});
export type CompatRule = z.infer<typeof CompatRule>;

export function toCompatRule(rule: Rule): CompatRule {
  const { id, scope, sessionId, project, createdAt, updatedAt, enabled, priority, pattern, decision, reason } = rule;
  return {
    id,
    session_id: sessionId ?? null,
    scope,
    project: project ?? null,
    created_at: iso(createdAt),
    updated_at: iso(updatedAt),
    enabled,
    priority: 0 - priority,
    pattern: { tool_name: pattern.toolName, parameters: pattern.parameters },
    decision,
    reason,
    expires_at: rule.expiresAt === undefined ? null : iso(rule.expiresAt),
  };
}
