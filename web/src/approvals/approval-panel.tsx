import { Bot } from 'lucide-react';
import { useId, useRef } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { useRole } from '../access/use-role.ts';
import { useDeciding, useSession } from '../live/live.ts';
import { clipLine } from '../ui/format.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { Countdown } from './countdown.tsx';
import { ElicitationForm } from './elicitation-form.tsx';
import { HoldNote } from './hold-note.tsx';
import { describeOutcome } from './outcome.ts';
import { PermissionForm } from './permission-form.tsx';
import { PlanForm } from './plan-form.tsx';
import { QuestionForm } from './question-form.tsx';
import { useFullApproval } from './use-full-approval.ts';
import { titleOf } from './what-is-asked.ts';

interface Props {
  approval: Approval;
  /** On a card: without a heading of its own, and with less height. */
  compact?: boolean;
}

const FORMS = {
  permission: PermissionForm,
  question: QuestionForm,
  plan: PlanForm,
  elicitation: ElicitationForm,
} as const;

/** What is asked, and the answer to it: the same on a card, in the inbox and on the page of the session. */
export function ApprovalPanel({ approval: given, compact = false }: Props) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  const { approval, partial } = useFullApproval(given);
  const deciding = useDeciding(approval.id);
  const viewer = useRole() === 'viewer';
  useReturnFocus(ref);
  const Form = FORMS[approval.kind] ?? PermissionForm;
  const pending = approval.status === 'pending';
  // a viewer sees what is asked, and an answer that is under way cannot be given again
  const disabled = viewer || partial || !pending || (deciding !== undefined && deciding.name !== 'failed');
  const limit = approval.expiresAt ?? approval.releaseAt;
  // under the heading of its card, or of the page
  const Title = compact ? 'h4' : 'h3';
  return (
    <section
      ref={ref}
      className="approval"
      data-approval={approval.id}
      data-compact={compact || undefined}
      data-not-yet={disabled || undefined}
      aria-labelledby={titleId}
      aria-busy={deciding?.name === 'sending'}
    >
      <header className={compact && !approval.agentId && !limit ? 'sr-only' : 'approval-head'}>
        <Title id={titleId} className={compact ? 'sr-only' : 'font-semibold'}>
          {titleOf(approval)}
        </Title>
        <SubAgentName approval={approval} />
        {pending && approval.expiresAt !== undefined && <Countdown until={approval.expiresAt} />}
        {pending && approval.releaseAt !== undefined && <HoldNote approval={approval} disabled={disabled} />}
      </header>
      {partial && <p className="text-ink-3">Fetching all of it…</p>}
      <Form approval={approval} compact={compact} disabled={disabled} />
      <p role="status" className={viewer || deciding || !pending ? 'text-ink-2' : 'sr-only'}>
        {!pending && describeOutcome(approval)}
        {pending && viewer && 'You are here to look: only an operator can answer.'}
        {pending && deciding?.name === 'sending' && 'Sending…'}
        {pending && deciding?.name === 'held' && (deciding.request.decision === 'allow' ? 'Allowing…' : 'Denying…')}
      </p>
      {deciding?.name === 'failed' && (
        <p role="alert" data-tone="red" className="notice">
          Not sent. {deciding.message}
        </p>
      )}
    </section>
  );
}

/** A subagent asks in its own name. */
function SubAgentName({ approval: { sessionId, agentId } }: { approval: Approval }) {
  const session = useSession(sessionId);
  if (agentId === undefined) return null;
  const agent = session?.subAgents.find(({ id }) => id === agentId);
  const name = agent ? [agent.type, agent.description].filter(Boolean).join(': ') : 'a subagent';
  return (
    <p className="flex min-w-0 items-center gap-1.5 text-ink-2">
      <Bot aria-hidden size={14} className="shrink-0" />
      <bdi className="truncate">From {clipLine(name, 120)}</bdi>
    </p>
  );
}
