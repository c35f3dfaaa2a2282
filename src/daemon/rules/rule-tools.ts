import { homedir } from 'node:os';
import type {
  AlwaysRule,
  Rule,
  RuleDraft,
  RuleSuggestion,
  RulesTestRequest,
  RulesTestResponse,
} from '../../contract/rules.ts';
import type { Approvals } from '../approvals/approvals.ts';
import type { CallToJudge, RulesIo } from './call-facts.ts';
import { decide } from './decide.ts';
import { RuleSet } from './rule-set.ts';
import type { Rules } from './rules.ts';
import { suggestAlways } from './suggest-always.ts';
import { suggestRules } from './suggest-rules.ts';

/** How far back to look through the operator's approvals for possible rules. */
const LOOK_BACK = 1000;

/** A draft's name among the saved rules. */
export const DRAFT_ID = 'draft';

type TestedCall = RulesTestRequest & Pick<CallToJudge, 'checkout'>;

export type RuleTools = ReturnType<typeof createRuleTools>;

/** What the rules would decide, and which ones are missing. */
export function createRuleTools({
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
  function withDraft(draft: RuleDraft, { except }: { except: string | undefined }): RuleSet {
    const others = rules.list().filter(({ id }) => id !== except);
    return new RuleSet([...others, { ...draft, id: DRAFT_ID, createdAt: now() }], rules);
  }

  return {
    test({ rules: given, also, except, ...call }: TestedCall): RulesTestResponse {
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
        : also
          ? withDraft(also, { except })
          : rules.compiled;
      const { decision, rule, why } = decide({ ...call, home: homedir(), now: now() }, set, io);
      return { decision, why, ...(rule ? { ruleId: rule.id } : {}) };
    },

    /** The rule "always" means for a call. */
    always: (call: CallToJudge): AlwaysRule => suggestAlways(call, { rules: rules.list(), guard: rules.guard, io }),

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
