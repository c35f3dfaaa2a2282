import { shapePattern } from '../../contract/call-shape.ts';
import { exactCommand } from '../../contract/exact-pattern.ts';
import { type AlwaysRule, type Rule, RuleDraft, type RulePattern } from '../../contract/rules.ts';
import type { Guard } from './built-in/built-in-rules.ts';
import type { CallToJudge, RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { describeRule } from './describe-rule.ts';
import { mayBeWide } from './never-offered.ts';
import { RuleSet } from './rule-set.ts';
import { commandsIn, exactPattern, shapeOf } from './shape.ts';

/**
 * The rule "always" most likely means for this call: similar calls if they only read, build or test, otherwise exactly this call; in its
 * project, otherwise in its session. It comes with what the rules would then decide, since an ask or a deny still wins.
 */
export function suggestAlways(
  call: CallToJudge,
  { rules, guard, io }: { rules: Rule[]; guard?: Guard | undefined; io: RulesIo },
): AlwaysRule {
  const { project, sessionId, now } = call;
  const scope = project ? { scope: 'project', project } : { scope: 'session', sessionId };
  const draft = RuleDraft.parse({ ...scope, pattern: patternFor(call), decision: 'allow' });
  const set = new RuleSet([...rules, { ...draft, id: 'suggested', createdAt: now }], { guard });
  const { decision, why } = decide(call, set, io);
  return { draft, text: describeRule(draft), applies: decision === 'allow', why };
}

function patternFor(call: CallToJudge): RulePattern {
  const { toolName, toolInput } = call;
  const commands = toolName === 'Bash' ? commandsIn(String(toolInput.command)) : [];
  // a rule covers a line if it covers each command in it
  if (commands.length > 1)
    return shapePattern(toolName, [...new Set(commands.map(({ words }) => exactCommand(words)))].join('|'));
  const wide = shapePattern(toolName, shapeOf(call));
  return mayBeWide(call) ? wide : (exactPattern(call) ?? wide);
}
