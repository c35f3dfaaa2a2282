import { Bot } from 'lucide-react';
import { useId, useRef } from 'react';
import type { Approval } from '../../../src/contract/approvals.ts';
import { useRole } from '../access/use-role.ts';
import { useDeciding, useSession } from '../live/live.ts';
import { useDraft } from '../ui/drafts.ts';
import { clipLine } from '../ui/format.ts';
import { FullViewProvider, useFullViewOf } from '../ui/full-view.ts';
import { useReturnFocus } from '../ui/use-return-focus.ts';
import { type ApprovalDraft, draftKey } from './answer/approval-draft.ts';
import { describeOutcome } from './answer/outcome.ts';
import { NO_DRAFT } from './answer/use-answer.ts';
import { useFullApproval } from './answer/use-full-approval.ts';
import { ElicitationForm } from './forms/elicitation-form.tsx';
import { PermissionForm } from './forms/permission-form.tsx';
import { PlanForm } from './forms/plan-form.tsx';
import { QuestionForm } from './forms/question-form.tsx';
import { ReleaseCountdown } from './notes/release-countdown.tsx';
import { TimeoutCountdown } from './notes/timeout-countdown.tsx';
import { titleOf } from './request/describe-request.ts';

interface Props {
  approval: Approval;
  /** On a card: no heading of its own and less height. */
  compact?: boolean;
}

const FORMS = {
  permission: PermissionForm,
  question: QuestionForm,
  plan: PlanForm,
  elicitation: ElicitationForm,
} as const;

/** A request and the form to answer it, the same on a card, in the inbox and on the session's page. */
export function ApprovalPanel({ approval: given, compact = false }: Props) {
  const ref = useRef<HTMLElement>(null);
  const titleId = useId();
  const { approval, partial } = useFullApproval(given);
  const deciding = useDeciding(approval.id);
  const viewer = useRole() === 'viewer';
  const [draft, setDraft] = useDraft<ApprovalDraft>(draftKey(approval.id), NO_DRAFT);
  const isOpen = draft.isOpen ?? false;
  const { view, hasHidden, isSeen } = useFullViewOf(ref, {
    isOpen,
    setOpen: (next) => setDraft({ ...draft, isOpen: next }),
  });
  useReturnFocus(ref);
  const Form = FORMS[approval.kind] ?? PermissionForm;
  const pending = approval.status === 'pending';
  // Viewers see the request, and an answer in flight can't be sent twice.
  const disabled =
    viewer ||
    partial ||
    !pending ||
    approval.held !== undefined ||
    (deciding !== undefined && deciding.name !== 'failed');
  const canAllow = !disabled && !hasHidden && isSeen;
  const limit = approval.expiresAt ?? approval.releaseAt;
  // One level below the card's or the page's heading.
  const Title = compact ? 'h4' : 'h3';
  return (
    <section
      ref={ref}
      className="approval"
      tabIndex={-1}
      data-approval={approval.id}
      data-compact={compact || undefined}
      data-open={isOpen || undefined}
      data-not-yet={disabled || undefined}
      data-hides={hasHidden || partial || undefined}
      data-unseen={!isSeen || undefined}
      aria-labelledby={titleId}
      aria-busy={deciding?.name === 'sending'}
    >
      <span data-mark aria-hidden />
      <header className={compact && !approval.agentId && !limit ? 'sr-only' : 'approval-head'}>
        <Title id={titleId} className={compact ? 'sr-only' : 'font-semibold'}>
          {titleOf(approval)}
        </Title>
        <SubAgentName approval={approval} />
        {pending && approval.expiresAt !== undefined && <TimeoutCountdown until={approval.expiresAt} />}
        {pending && approval.releaseAt !== undefined && <ReleaseCountdown approval={approval} disabled={disabled} />}
      </header>
      {partial && <p className="text-ink-3">Loading the rest…</p>}
      <FullViewProvider value={view}>
        <Form approval={approval} compact={compact} disabled={disabled} hides={hasHidden} canAllow={canAllow} />
      </FullViewProvider>
      <p role="status" className={viewer || deciding || !pending ? 'text-ink-2' : 'sr-only'}>
        {!pending && describeOutcome(approval)}
        {pending && viewer && 'View only: an operator can answer this.'}
        {pending && deciding?.name === 'sending' && 'Sending…'}
      </p>
      {deciding?.name === 'failed' && (
        <p role="alert" data-tone="red" className="notice">
          Not sent. {deciding.message}
        </p>
      )}
      <span data-mark aria-hidden />
    </section>
  );
}

/** Requests from subagents are labeled. */
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
