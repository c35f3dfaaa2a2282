import { shapePattern } from '../../../src/contract/call-shape.ts';
import type { ReviewGroup } from '../../../src/contract/reviews.ts';
import type { RuleDraft } from '../../../src/contract/rules.ts';

/** The rule a group of calls suggests, to be checked and edited before saving. */
export function draftFor({ toolName, shape, latest }: ReviewGroup, decision: RuleDraft['decision']): RuleDraft {
  const pattern = shapePattern(toolName, shape);
  const place = latest.project.startsWith('/')
    ? { scope: 'project' as const, project: latest.project }
    : { scope: 'global' as const };
  return { ...place, pattern, decision, priority: 0, enabled: true, reason: '' };
}
