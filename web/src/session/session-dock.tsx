import { useRef } from 'react';
import type { LiveSession } from '../../../src/contract/sessions.ts';
import { useAnswerKeys } from '../approvals/answer/use-answer-keys.ts';
import { ApprovalPanel } from '../approvals/approval-panel.tsx';
import { AskedInTerminal, useAskedInTerminal } from '../approvals/asked-in-terminal.tsx';
import { MissedAnswers } from '../approvals/notes/missed-answers.tsx';
import { UndeliveredDecisions } from '../approvals/notes/undelivered-decisions.tsx';
import { PromptBox } from '../control/prompt-box.tsx';
import { RETRY_PROMPT } from '../control/retry-prompt.ts';
import { StopNote } from '../control/stop-note.tsx';
import { useApprovalsOf } from '../live/live.ts';
import { useShortcuts } from '../ui/shortcuts.ts';
import { toast } from '../ui/toasts.tsx';
import { ResumeCommand } from './resume-command.tsx';
import type { SessionFacts } from './use-session-facts.ts';

/** Below the conversation: pending requests and the prompt box. */
export function SessionDock({ facts }: { facts: SessionFacts }) {
  const isKnown = facts.session !== null || facts.history !== null;
  if (!facts.isLive || !facts.session) return isKnown ? <ResumeCommand facts={facts} /> : null;
  return <LiveDock session={facts.session} />;
}

function LiveDock({ session }: { session: LiveSession }) {
  const approvals = useApprovalsOf(session.id);
  const isAskedInTerminal = useAskedInTerminal(session);
  // A state that hasn't settled may be over in a second, so don't ask for a decision yet.
  const asked = session.attention === 'settling' ? [] : approvals;
  const dock = useRef<HTMLDivElement>(null);
  const keys = useAnswerKeys({
    approval: () => {
      const panel = document.activeElement?.closest<HTMLElement>('[data-approval]');
      return asked.find(({ id }) => id === panel?.dataset.approval);
    },
    around: () => dock.current,
    select: () => {
      const panel = dock.current?.querySelector<HTMLElement>('[data-approval]');
      if (!panel) return;
      panel.focus();
      toast({ text: 'Request selected. Press a to allow it, d to deny it.', tone: 'gray', ms: 3_000 });
    },
  });
  useShortcuts('Answer', keys);
  return (
    <div ref={dock} className="session-dock" data-asks={asked.length > 0 || undefined} data-focus-home tabIndex={-1}>
      <MissedAnswers sessionId={session.id} />
      <UndeliveredDecisions sessionId={session.id} />
      {asked.map((approval) => (
        <ApprovalPanel key={approval.id} approval={approval} />
      ))}
      {approvals.length === 0 && isAskedInTerminal && <AskedInTerminal session={session} />}
      <StopNote session={session} />
      <PromptBox
        session={session}
        label={labelOf(session)}
        action={session.agentState.state === 'error' ? 'Retry' : 'Send'}
        standard={session.agentState.state === 'error' ? RETRY_PROMPT : ''}
      />
    </div>
  );
}

function labelOf({ agentState }: LiveSession): string {
  if (agentState.state === 'error') return 'What should it do differently? (optional)';
  return agentState.group === 'autonomous' ? 'What should it do when this turn ends?' : 'What next?';
}
