import { homedir } from 'node:os';
import type { AlwaysRule, Rule, RuleSuggestion, RulesTestRequest, RulesTestResponse } from '../../contract/rules.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { RulesIo, ToolCall } from './call-facts.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';
import type { Rules } from './rules.ts';
import { suggestAlways } from './suggest-always.ts';
import { suggestRules } from './suggest-rules.ts';

/** How far back the operator's approvals are looked at for what could be a rule. */
const LOOK_BACK = 1000;

export type Ruling = ReturnType<typeof createRuling>;

/** What the rules would say, and which ones are missing. */
export function createRuling({
  rules,
  approvals,
  io,
  now,
}: {
  rules: Rules;
  approvals: Approvals;
  io: RulesIo;
  now: () => number;
}) {
  return {
    test({ rules: given, ...call }: RulesTestRequest & Pick<ToolCall, 'checkout'>): RulesTestResponse {
      const set = given
        ? new RuleSet(
            given.map(
              (draft, index): Rule => ({
                ...draft,
                id: draft.id ?? `rule-${index + 1}`,
                version: 1,
                createdAt: index,
                updatedAt: index,
              }),
            ),
          )
        : rules.compiled;
      const { decision, rule, why } = decide({ ...call, home: homedir(), now: now() }, set, io);
      return { decision, why, ...(rule ? { ruleId: rule.id } : {}) };
    },

    /** The rule that "always" means for a call. */
    always: (call: ToolCall): AlwaysRule => suggestAlways(call, { rules: rules.list(), io }),

    /** Learned from what the operator keeps approving. */
    suggestions(): RuleSuggestion[] {
      const approved = approvals
        .list({ status: 'decided', limit: LOOK_BACK, newestFirst: true })
        .filter(
          ({ kind, decision }) => kind === 'permission' && decision?.decision === 'allow' && !decision.updatedInput,
        )
        .map(({ toolName, toolInput }) => ({ toolName, toolInput }));
      return suggestRules(approved, { rules: rules.compiled, io, now: now() });
    },
  };
}
