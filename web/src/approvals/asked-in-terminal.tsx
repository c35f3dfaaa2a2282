import type { LiveSession } from '../../../src/contract/sessions.ts';
import { StopIcon } from '../control/stop-button.tsx';
import { useLive } from '../live/live.ts';

const ASKS = new Set(['needs_permission', 'awaiting_input', 'awaiting_approval']);

/** Its terminal shows a dialog or a question. */
export const asksSomething = ({ agentState }: LiveSession): boolean => ASKS.has(agentState.state);

/** For a session without a pending request: whether only its terminal can answer what it asks. */
export function useAskedInTerminal(session: LiveSession): boolean {
  const { approvals } = useLive();
  if (session.agentState.onlyInTerminal === true) return true;
  const isSettled = asksSomething(session) && session.attention === 'settled';
  return isSettled && !approvals.isAnswered(session.id, session.stateSince);
}

export function AskedInTerminal({ session }: { session: LiveSession }) {
  return (
    <div className="above flex items-center justify-between gap-2 text-sm text-ink-3">
      <p>Answer this in its terminal.</p>
      <StopIcon session={session} />
    </div>
  );
}
