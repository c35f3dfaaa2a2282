import type { Client } from '../client/client.ts';
import type { Approval } from '../contract/approvals.ts';
import { pendingApprovals } from './approvals.ts';
import { CliError, EXIT } from './exit.ts';

/** The pending approval whose id starts with this. */
export async function findApproval(api: Client, prefix: string): Promise<Approval> {
  const { approvals } = await pendingApprovals(api);
  const found = approvals.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new CliError(
      `More than one pending request matches ${prefix}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}`,
      EXIT.usage,
    );
  throw new CliError(`No pending request matches ${prefix}. See gctl approvals.`);
}
