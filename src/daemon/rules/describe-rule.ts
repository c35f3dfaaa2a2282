import type { RuleDraft } from '../../contract/rules.ts';

const VERBS = { allow: 'Allow', deny: 'Deny', ask: 'Ask about' };

/** The rule in words, exactly as it would be saved: shown before it is. */
export function describeRule({
  decision,
  pattern,
  scope,
  project,
  sessionId,
  priority,
  enabled,
  expiresAt,
  reason,
}: RuleDraft): string {
  const conditions = Object.entries(pattern.parameters).map(([key, glob]) => `${key} is \`${glob}\``);
  const what =
    conditions.length > 0
      ? `${pattern.toolName} when ${conditions.join(' and ')}`
      : `every call of ${pattern.toolName}`;
  const where = { global: 'in every project', project: `in ${project}`, session: `in session ${sessionId}` }[scope];
  const until = expiresAt ? `, until ${new Date(expiresAt).toISOString()}` : '';
  const rank = priority === 0 ? '' : `, priority ${priority}`;
  return `${VERBS[decision]} ${what}, ${where}${until}${rank}.${enabled ? '' : ' Not in force.'}${reason ? ` Reason: ${reason}` : ''}`;
}
