import { Link } from '@tanstack/react-router';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { PromptBox } from '../control/prompt-box.tsx';
import { RETRY_PROMPT } from '../control/retry-prompt.ts';
import { useApprovalsOf } from '../live/live.ts';
import { ApprovalPanel } from './approval-panel.tsx';
import { AskedInTerminal, asksSomething, useAskedInTerminal } from './asked-in-terminal.tsx';
import { MissedAnswers } from './notes/missed-answers.tsx';
import { UndeliveredDecisions } from './notes/undelivered-decisions.tsx';

interface Props {
  session: LiveSession;
  compact?: boolean;
}

/** The answer form of a session that needs the operator, for its request or its result. */
export function SessionAnswers({ session, compact = false }: Props) {
  const approvals = useApprovalsOf(session.id);
  const left = useAskedInTerminal(session);
  const [first] = approvals;
  const shown = compact ? approvals.slice(0, 1) : approvals;
  return (
    <>
      <MissedAnswers sessionId={session.id} />
      <UndeliveredDecisions sessionId={session.id} />
      {/* A state that hasn't settled may be over in a second, so don't ask for a decision yet. */}
      {first && session.attention !== 'settling' && (
        <div className="above flex flex-col gap-2">
          {shown.map((approval) => (
            <ApprovalPanel key={approval.id} approval={approval} compact={compact} />
          ))}
          {shown.length < approvals.length && (
            <p className="text-sm text-ink-3">
              {approvals.length - shown.length} more {approvals.length - shown.length === 1 ? 'request' : 'requests'}
              waiting.{' '}
              <Link to="/inbox" className="link">
                Inbox
              </Link>
            </p>
          )}
        </div>
      )}
      {!first && takesPrompt(session) && (
        <PromptBox
          session={session}
          label={session.agentState.state === 'error' ? 'What should it do differently? (optional)' : 'What next?'}
          action={session.agentState.state === 'error' ? 'Retry' : 'Send'}
          standard={session.agentState.state === 'error' ? RETRY_PROMPT : ''}
        />
      )}
      {!first && left && <AskedInTerminal session={session} />}
    </>
  );
}

/** It is idle and waiting for a prompt, or has queued prompts it hasn't taken yet. */
function takesPrompt(session: LiveSession): boolean {
  const { agentState, attention, endedAt, queuedPrompts } = session;
  if (endedAt !== null) return false;
  if (queuedPrompts > 0) return true;
  return agentState.group === 'needs_you' && attention === 'settled' && !asksSomething(session);
}
