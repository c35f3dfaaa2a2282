import type { Approval } from '../../../../src/contract/approvals.ts';

/** A plain yes is an answer to it: to a question or a form it is not. */
export function canAllowDirectly({ kind }: Pick<Approval, 'kind'>): boolean {
  return kind === 'permission' || kind === 'plan';
}
