import { type ReactNode, Suspense, useRef } from 'react';
import { lazyPart } from '../../app/load-part.ts';
import { useLeftOut, useTruncation } from '../../ui/full-view.ts';
import { Skeleton } from '../../ui/states.tsx';
import { type FormProps, useAnswer } from '../answer/use-answer.ts';
import { ShowAll } from '../request/show-all.tsx';
import { AnswerActions } from './answer-actions.tsx';
import { ExplainButton, RefusalForm } from './refusal-form.tsx';

const PlanText = lazyPart(() => import('./plan-text.tsx'));

export function PlanForm({ approval, disabled, hides, canAllow }: FormProps) {
  const { draft, opened, write, decide } = useAnswer(approval);
  const plan = approval.plan ?? (typeof approval.toolInput.plan === 'string' ? approval.toolInput.plan : '');
  return (
    <>
      {plan ? (
        <PlanBox plan={plan}>
          <Suspense fallback={<PlanLoading />}>
            <PlanText text={plan} />
          </Suspense>
        </PlanBox>
      ) : (
        <p className="text-ink-3">The agent wrote no plan file. See its terminal.</p>
      )}
      <ShowAll what="plan" hides={hides} before="Read to the end before you approve." />
      {draft.explaining && !approval.held ? (
        <RefusalForm
          id={approval.id}
          label="What should change? Sent to the agent, which will revise the plan."
          action="Reject"
          disabled={disabled}
          opened={opened}
          draft={draft}
          write={write}
          decide={decide}
        />
      ) : (
        <AnswerActions approval={approval}>
          <button
            type="button"
            className="button"
            data-kind="primary"
            data-decides
            disabled={!canAllow}
            onClick={() => decide({ decision: 'allow' })}
          >
            Approve
          </button>
          <ExplainButton label="Reject with feedback…" disabled={disabled} write={write} />
        </AnswerActions>
      )}
    </>
  );
}

/** A plan may be scrolled through in its box. */
function PlanBox({ plan, children }: { plan: string; children: ReactNode }) {
  const box = useRef<HTMLElement>(null);
  const { check } = useTruncation(box, { content: plan, mayScroll: true });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section ref={box} aria-label="Plan" tabIndex={0} className="plan-box" onScroll={check}>
      {children}
    </section>
  );
}

function PlanLoading() {
  useLeftOut(true);
  return <Skeleton what="the plan" />;
}
