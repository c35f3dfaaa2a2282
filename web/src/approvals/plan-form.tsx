import { Suspense } from 'react';
import { lazyPart } from '../app/load-part.ts';
import { Skeleton } from '../ui/states.tsx';
import { ExplainButton, RefusalForm } from './refusal-form.tsx';
import { type FormProps, useAnswer } from './use-answer.ts';

const PlanText = lazyPart(() => import('./plan-text.tsx'));

export function PlanForm({ approval, disabled }: FormProps) {
  const { draft, opened, write, decide } = useAnswer(approval);
  const plan = approval.plan ?? (typeof approval.toolInput.plan === 'string' ? approval.toolInput.plan : '');
  return (
    <>
      {plan ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section aria-label="Plan" tabIndex={0} className="plan-box">
          <Suspense fallback={<Skeleton what="the plan" />}>
            <PlanText text={plan} />
          </Suspense>
        </section>
      ) : (
        <p className="text-ink-3">It has written no plan down; its terminal shows what it said.</p>
      )}
      {draft.explaining ? (
        <RefusalForm
          id={approval.id}
          label="What should be different? The agent reads this, and plans on."
          action="Reject"
          disabled={disabled}
          opened={opened}
          draft={draft}
          write={write}
          decide={decide}
        />
      ) : (
        <div className="answer-actions">
          <button
            type="button"
            className="button"
            data-kind="primary"
            disabled={disabled}
            onClick={() => decide({ decision: 'allow' })}
          >
            Approve
          </button>
          <ExplainButton label="Reject with feedback…" disabled={disabled} write={write} />
        </div>
      )}
    </>
  );
}
