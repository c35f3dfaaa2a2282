import { shapePattern } from '../../contract/call-shape.ts';
import { RuleDraft, type RulePattern, type RuleSuggestion } from '../../contract/rules.ts';
import type { RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { describeRule } from './describe-rule.ts';
import { isNeverOffered, mayBeWide } from './never-offered.ts';
import { RuleSet } from './rule-set.ts';
import { exactPattern, type ShapedCall, shapeOf } from './shape.ts';

const OFTEN = 3;
const MAX_EXAMPLES = 3;

interface Surroundings {
  rules: RuleSet;
  io: RulesIo;
  now: number;
}

/** Rules learned from what the operator keeps approving: narrow ones that would really have covered it. */
export function suggestRules(approved: ShapedCall[], around: Surroundings): RuleSuggestion[] {
  const unruled = approved.filter(
    (call) => decide({ ...call, now: around.now }, around.rules, around.io).decision === 'none',
  );
  return [...groupBy(unruled, (call) => `${call.toolName} ${shapeOf(call)}`).values()]
    .flatMap(byWidth)
    .filter(({ calls, pattern }) => calls.length >= OFTEN && covers(pattern, calls, around))
    .map(({ calls, pattern }) => toSuggestion(calls, pattern))
    .sort((a, b) => b.approvals - a.approvals);
}

/** If it is always the same call, that call; otherwise the shape, if a shape may be offered at all. */
function byWidth(calls: ShapedCall[]): { calls: ShapedCall[]; pattern: RulePattern }[] {
  const [first] = calls;
  if (!first || calls.some(isNeverOffered)) return [];
  const same = [...groupBy(calls, (call) => JSON.stringify(exactPattern(call))).values()];
  const isMixed = same.some((group) => group.length < OFTEN);
  if (isMixed && mayBeWide(first)) return [{ calls, pattern: shapePattern(first.toolName, shapeOf(first)) }];
  return same.flatMap((group) => {
    const pattern =
      exactPattern(group[0]!) ?? (mayBeWide(first) ? shapePattern(first.toolName, shapeOf(first)) : undefined);
    return pattern ? [{ calls: group, pattern }] : [];
  });
}

function covers(pattern: RulePattern, calls: ShapedCall[], { io, now }: Surroundings): boolean {
  const alone = new RuleSet([{ ...RuleDraft.parse({ pattern, decision: 'allow' }), id: 'suggested', createdAt: now }]);
  return calls.every((call) => decide({ ...call, now }, alone, io).decision === 'allow');
}

function toSuggestion(calls: ShapedCall[], pattern: RulePattern): RuleSuggestion {
  const draft = RuleDraft.parse({ pattern, decision: 'allow', reason: `Approved ${calls.length} times` });
  const examples = [...new Set(calls.map(({ toolInput }) => JSON.stringify(toolInput).slice(0, 200).toWellFormed()))];
  return {
    draft,
    text: describeRule(draft),
    shape: shapeOf(calls[0]!),
    approvals: calls.length,
    examples: examples.slice(0, MAX_EXAMPLES),
  };
}

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
