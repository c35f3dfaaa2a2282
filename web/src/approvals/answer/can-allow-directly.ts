import type { Approval } from '../../../../src/contract/approvals.ts';

/** Whether a plain "allow" answers it. Questions and forms need more. */
export function canAllowDirectly({ kind }: Pick<Approval, 'kind'>): boolean {
  return kind === 'permission' || kind === 'plan';
}
