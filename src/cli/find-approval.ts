import type { Approval } from '../contract/approvals.ts';
import type { Api } from './api.ts';
import { pendingApprovals } from './approvals.ts';
import { CliError, EXIT } from './exit.ts';

/** The pending one whose id begins so. */
export async function findApproval(api: Api, prefix: string): Promise<Approval> {
  const { approvals } = await pendingApprovals(api);
  const found = approvals.filter(({ id }) => id.startsWith(prefix));
  if (found.length === 1) return found[0]!;
  if (found.length > 1)
    throw new CliError(
      `More than one approval begins with ${prefix}: ${found.map(({ id }) => id.slice(0, 12)).join(', ')}`,
      EXIT.usage,
    );
  throw new CliError(`No pending approval begins with ${prefix}. \`gctl approvals\` lists them.`);
}
