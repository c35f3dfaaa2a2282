import type { Approval } from '../contract/approvals.ts';

/** What became of a decision, in one line. It is never called delivered before it is. */
export function describeDecision({ decision, delivery, origin, toolName }: Approval): string {
  const what = decision?.decision === 'deny' ? 'Denied' : 'Allowed';
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
