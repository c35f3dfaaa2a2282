import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { testRules } from '../../../src/contract/routes/rules.ts';
import type { RuleDraft, RulesTestResponse } from '../../../src/contract/rules.ts';
import { BASE_PATH } from '../api/base-path.ts';
import { call } from '../api/request.ts';
import { clip } from '../ui/format.ts';
import { describeRule } from './describe-rule.ts';
import { DECISION_LOOKS } from './rule-item.tsx';
import { toDraft, useRuleActions, useRules } from './use-rules.ts';

/** Another rule decides, so this one would never apply: which one, why, and how to change that. */
export function RuleConflict({ draft, outcome }: { draft: RuleDraft; outcome: RulesTestResponse }) {
  const { data: rules } = useRules();
  const { save } = useRuleActions();
  const winner = rules?.find(({ id }) => id === outcome.ruleId);
  const wins = outcome.decision === 'none' ? 'Another rule' : `A rule that says ${outcome.decision}`;
  return (
    <div role="alert" data-tone="amber" className="notice flex flex-col gap-2">
      <p className="flex items-start gap-2">
        <TriangleAlert aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
        <span>
          <span className="font-semibold">This rule would not apply here.</span> {wins} wins over one that says{' '}
          {draft.decision}. Priority can't change that.
        </span>
      </p>
      {winner ? (
        <>
          <p className="rounded-md bg-sunken px-3 py-2 font-mono text-sm break-words">
            <span className="font-semibold">{DECISION_LOOKS[winner.decision].label}</span>{' '}
            <bdi>{describeRule(winner)}</bdi>
            {winner.reason && <span className="font-sans text-ink-3"> {clip(winner.reason, { max: 200 })}</span>}
          </p>
          <p className="flex flex-wrap gap-2">
            <button
              type="button"
              className="button"
              disabled={save.isPending}
              onClick={() => save.mutate({ id: winner.id, draft: { ...toDraft(winner), enabled: false } })}
            >
              Turn that rule off
            </button>
            <a
              className="button"
              href={`${BASE_PATH}/rules?rule=${encodeURIComponent(winner.id)}`}
              target="_blank"
              rel="noopener"
            >
              Show it on the rules page
            </a>
          </p>
        </>
      ) : (
        <p className="text-ink-2">{clip(outcome.why, { max: 1_000 })}</p>
      )}
    </div>
  );
}

interface Call {
  toolName: string;
  toolInput: Record<string, unknown>;
  sessionId?: string;
  cwd?: string;
  project?: string;
}

/** What all rules would decide for the call if the draft were one of them. */
export function useVerdictWith(draft: RuleDraft, judged: Call) {
  return useQuery({
    queryKey: ['rules', 'verdict', draft, judged],
    queryFn: () => call(testRules, { body: { ...judged, also: draft } }),
    retry: false,
    placeholderData: (before) => before,
  });
}
