import { Link } from '@tanstack/react-router';
import { CircleDashed } from 'lucide-react';
import type { RulesTestResponse } from '../../../src/contract/rules.ts';
import { clip } from '../ui/format.ts';
import { DECISION_LOOKS } from './rule-item.tsx';

const NONE = { icon: CircleDashed, tone: 'gray', label: 'No rule' } as const;

/** What the rules decide for a call, why, and a link to the rule. */
export function RuleOutcome({ outcome: { decision, ruleId, why } }: { outcome: RulesTestResponse }) {
  const { icon: Icon, tone, label } = decision === 'none' ? NONE : DECISION_LOOKS[decision];
  return (
    <p data-tone={tone} className="flex items-start gap-2">
      <Icon aria-hidden size={17} className="mt-0.5 shrink-0 text-tone" />
      <span className="min-w-0">
        <span className="font-semibold text-tone">{label}.</span> <bdi>{clip(why, { max: 2_000 })}</bdi>{' '}
        {decision === 'none' && 'The project policy decides.'}
        {ruleId && ruleId !== 'draft' && (
          <Link to="/rules" search={{ rule: ruleId }} className="link whitespace-nowrap">
            Show rule
          </Link>
        )}
      </span>
    </p>
  );
}
