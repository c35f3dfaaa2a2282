import type { Approval } from '../../../../src/contract/approvals.ts';
import { clipLine } from '../../ui/format.ts';

/** How it was settled, by whom and with what message, in one sentence. For an operator who was too late. */
export function describeOutcome({ status, decision, delivery, kind, closedBy, releaseTo }: Approval): string {
  if (status === 'pending') return 'Still pending.';
  if (status === 'answered_in_terminal') return 'Answered in the terminal.';
  if (status === 'cancelled') return 'Canceled: the session ended.';
  if (status === 'released') {
    const by = closedBy ? `${closedBy} returned it.` : 'No longer held.';
    return `${by} ${NEXT[releaseTo ?? 'terminal']}`;
  }
  if (status === 'expired' || !decision) return 'Returned to the terminal, which asks instead.';
  if (decision.by === 'timeout') return 'Denied: nobody answered in time.';
  const automatic = BY[decision.by];
  if (automatic)
    return clipLine(
      `${automatic} ${decision.decision === 'allow' ? 'allowed' : 'denied'} it. ${decision.reason ?? ''}`,
      400,
    );
  const verb = decision.how ? HOW[decision.how] : decision.decision === 'allow' ? ALLOWED[kind] : DENIED[kind];
  const answers = decision.answers ? `: ${Object.values(decision.answers).join('; ')}` : '';
  const words = decision.message ? `: “${decision.message}”` : '';
  const said = clipLine(`${decision.by} ${verb}${answers || words}`, 400);
  return delivery?.state === 'not_delivered' ? `${said}. ${delivery.why ?? 'It was not delivered.'}` : said;
}

const BY: Record<string, string> = { rule: 'A rule', policy: 'The project policy', stop: 'A stop' };

const ALLOWED = { permission: 'allowed it', plan: 'approved it', question: 'answered it', elicitation: 'answered it' };
const DENIED = { permission: 'denied it', plan: 'rejected it', question: 'declined it', elicitation: 'declined it' };

const HOW = { background: 'ran it in the background', kill: 'killed it' };

const NEXT = {
  terminal: 'The terminal is asking instead.',
  client: 'Claude Code denied it, since it runs without a terminal.',
  host: 'The program that runs Claude Code decides instead.',
};
