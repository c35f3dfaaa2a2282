import { Map as MapIcon } from 'lucide-react';
import { messageOf } from '../../api/request.ts';
import { describeOutcome } from '../../approvals/answer/outcome.ts';
import { Markdown } from '../../markdown/markdown.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { clip } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { useSessionApprovals } from '../use-session-approvals.ts';
import { useSessionEvents } from '../use-session-events.ts';
import type { SessionFacts } from '../use-session-facts.ts';

const MAX_CHARS = 100_000;

/** The latest plan it proposed, and the outcome. */
export default function PlanTab({ facts }: { facts: SessionFacts }) {
  const approvals = useSessionApprovals(facts.id);
  const { events, isPending } = useSessionEvents(facts, { brief: false, limit: 100 });
  if (approvals.error) return <Failure message={messageOf(approvals.error)} onRetry={() => void approvals.refetch()} />;
  if (approvals.isPending || isPending) return <Skeleton lines={6} what="the plan" />;
  const approval = approvals.data.find(({ kind }) => kind === 'plan');
  const called = events.findLast(({ payload }) => payload.tool_name === 'ExitPlanMode')?.payload.tool_input;
  const plan =
    approval?.plan ?? textOf(approval?.toolInput.plan) ?? textOf((called as { plan?: unknown } | undefined)?.plan);
  if (!plan)
    return (
      <Empty icon={MapIcon} title="No plan">
        <p>The latest plan the agent proposes appears here.</p>
      </Empty>
    );
  return (
    <article className="panel max-w-[60rem]">
      <header className="flex items-center justify-between gap-3 border-b border-line px-4 py-2 text-ink-2">
        <span>{approval ? describeOutcome(approval) : 'Proposed'}</span>
        <CopyButton text={plan} what="plan" />
      </header>
      <div className="p-4">
        <Markdown text={clip(plan, { max: MAX_CHARS })} />
      </div>
    </article>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);
