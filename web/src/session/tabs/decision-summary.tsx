import { Link } from '@tanstack/react-router';
import type { SessionDecisions } from '../../../../src/contract/decisions.ts';

const WORDS = { allow: 'Allowed', deny: 'Denied', ask: 'Asked' } as const;
const TONES = { allow: 'green', deny: 'red', ask: 'amber' } as const;

/** How many calls were decided which way, and by which rules. */
export function DecisionSummary({ decisions: { counts, rules } }: { decisions: SessionDecisions }) {
  return (
    <section aria-label="Summary" className="mb-4 flex max-w-[60rem] flex-col gap-3">
      <p className="flex flex-wrap gap-x-5 gap-y-1 tabular-nums">
        <Count of={counts.approved} name="approved" tone="green" />
        <Count of={counts.denied} name="denied" tone="red" />
        <Count of={counts.pending} name="pending" tone="amber" />
        {counts.toReview > 0 && (
          <Link to="/reviews" className="text-ink-2 underline underline-offset-2">
            {counts.toReview} to review
          </Link>
        )}
      </p>
      {rules.length > 0 && (
        <div>
          <h3 className="mb-1.5 font-semibold">Rules that applied</h3>
          <ul aria-label="Rules that applied" className="flex flex-col gap-1">
            {rules.map(({ ruleId, text, decision, count }) => (
              <li key={ruleId} className="flex flex-wrap items-baseline gap-x-2" data-tone={TONES[decision]}>
                <span className="font-semibold text-tone">{WORDS[decision]}</span>
                <bdi className="min-w-0 flex-1 text-ink-2">{text ?? 'A deleted rule'}</bdi>
                <span className="text-ink-3 tabular-nums">{count === 1 ? 'once' : `${count} times`}</span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}

function Count({ of, name, tone }: { of: number; name: string; tone: 'green' | 'red' | 'amber' }) {
  return (
    <span data-tone={of > 0 ? tone : 'gray'}>
      <strong className="font-semibold text-tone">{of.toLocaleString('en-US')}</strong> {name}
    </span>
  );
}
