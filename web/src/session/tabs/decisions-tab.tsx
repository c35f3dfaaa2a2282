import { Check, CircleDot, Minus, Scale, X } from 'lucide-react';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { messageOf } from '../../api/request.ts';
import { describeOutcome } from '../../approvals/answer/outcome.ts';
import { formatDateTime } from '../../ui/dates.ts';
import { clip, clipLine, formatDuration } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import { toolWords } from '../conversation/tool-words.ts';
import { useSessionApprovals } from '../use-session-approvals.ts';
import { useSessionDecisions } from '../use-session-decisions.ts';
import type { SessionFacts } from '../use-session-facts.ts';
import { DecisionSummary } from './decision-summary.tsx';

/** What the session asked, who answered what, and after how long. */
export default function DecisionsTab({ facts }: { facts: SessionFacts }) {
  const { data, error, isPending, refetch } = useSessionApprovals(facts.id);
  const { data: decisions } = useSessionDecisions(facts.id, facts);
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  if (isPending) return <Skeleton lines={5} what="the decisions" />;
  const isDecided = decisions !== undefined && Object.values(decisions.counts).some((count) => count > 0);
  if (data.length === 0 && !isDecided)
    return (
      <Empty icon={Scale} title="No decisions yet">
        <p>Requests, questions and plans appear here with who decided.</p>
      </Empty>
    );
  return (
    <>
      {isDecided && <DecisionSummary decisions={decisions} />}
      <ul aria-label="Requests, newest first" className="flex max-w-[60rem] flex-col gap-2">
        {data.map((approval) => (
          <DecisionRow key={approval.id} approval={approval} />
        ))}
      </ul>
    </>
  );
}

function DecisionRow({ approval }: { approval: Approval }) {
  const { icon: Icon, object, verb, code } = toolWords(approval.toolName, approval.toolInput, { running: true });
  const { mark: Mark, tone } = markOf(approval);
  const waited = (approval.decision?.at ?? approval.settledAt ?? Date.now()) - approval.createdAt;
  const answers = Object.entries(approval.decision?.answers ?? {});
  return (
    <li className="panel flex flex-col gap-1.5 px-4 py-2.5" data-tone={tone}>
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Icon aria-hidden size={15} className="shrink-0 text-ink-3" />
        <span className="font-medium">{verb}</span>
        <bdi className={`min-w-0 flex-1 truncate text-ink-2 ${code ? 'font-mono text-sm' : ''}`}>{object}</bdi>
        <time dateTime={new Date(approval.createdAt).toISOString()} className="text-ink-3 tabular-nums">
          {formatDateTime(approval.createdAt)}
        </time>
      </div>
      <p className="flex items-center gap-1.5">
        <Mark aria-hidden size={15} className="shrink-0 text-tone" />
        <span className="font-semibold text-tone">{describeOutcome(approval)}</span>
        <span className="text-ink-3">after {formatDuration(waited)}</span>
      </p>
      {approval.decision?.message && (
        <p dir="auto" className="whitespace-pre-wrap text-ink-2">
          “{clip(approval.decision.message, { max: 2000 })}”
        </p>
      )}
      {answers.slice(0, 20).map(([question, answer]) => (
        <p key={question} dir="auto" className="text-ink-2">
          {clipLine(question, 200)} <strong className="font-semibold">{clip(answer, { max: 1000 })}</strong>
        </p>
      ))}
    </li>
  );
}

function markOf({ status, decision }: Approval) {
  if (status === 'pending') return { mark: CircleDot, tone: 'amber' };
  if (decision?.decision === 'allow') return { mark: Check, tone: 'green' };
  if (decision?.decision === 'deny') return { mark: X, tone: 'red' };
  return { mark: Minus, tone: 'gray' };
}
