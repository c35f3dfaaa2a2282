import type { Approval } from '../contract/approvals.ts';
import { oneLine } from './output.ts';

/** What happened to a decision, in one line. */
export function describeDecision({ status, decision, delivery, origin, toolName: name }: Approval): string {
  const toolName = oneLine(name);
  // something else settled it during the undo window
  if (!decision) return `Not decided by you (${status.replaceAll('_', ' ')}): ${toolName}`;
  const what = decision.decision === 'deny' ? 'Denied' : 'Allowed';
  const asker = { api: 'the program that asked', runner: 'the session', hook: 'the terminal' }[origin];
  switch (delivery?.state) {
    case 'delivered':
      return `${what}, delivered to ${asker}: ${toolName}`;
    case 'not_delivered':
      return `${what}, but not delivered: ${toolName}. ${delivery.why ?? ''}`.trimEnd();
    case 'pending':
      return `${what}, not delivered yet: ${toolName}. Waiting for ${asker} to confirm it; gctl approvals --watch shows when it does.`;
    default:
      return `${what}: ${toolName}`;
  }
}
