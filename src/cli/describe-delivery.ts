import type { Approval } from '../contract/approvals.ts';
import { oneLine } from './output.ts';

/** What became of a decision, in one line. It is never called delivered before it is. */
export function describeDecision({ status, decision, delivery, origin, toolName: name }: Approval): string {
  const toolName = oneLine(name);
  // while it was held, somebody or something else was first
  if (!decision) return `Not decided here, ${status.replaceAll('_', ' ')}: ${toolName}`;
  const what = decision.decision === 'deny' ? 'Denied' : 'Allowed';
  const asker = origin === 'api' ? 'the program that asked' : 'the terminal';
  switch (delivery?.state) {
    case 'delivered':
      return `${what}, delivered to ${asker}: ${toolName}`;
    case 'not_delivered':
      return `${what}, but not delivered: ${toolName}. ${delivery.why ?? ''}`.trimEnd();
    case 'pending':
      return `${what}, not delivered yet: ${toolName}. ${capitalized(asker)} is expected back; \`gctl approvals --watch\` says when.`;
    default:
      return `${what}: ${toolName}`;
  }
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
