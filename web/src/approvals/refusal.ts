import type { Approval, DecisionRequest } from '../../../src/contract/approvals.ts';
import { drafts } from '../ui/drafts.ts';
import { toast } from '../ui/toasts.tsx';
import { type ApprovalDraft, draftKey } from './approval-draft.ts';

/** A no with the words that stand in its form, whichever way it is said. */
export function denialOf({ id }: Pick<Approval, 'id'>): DecisionRequest {
  const { explaining, text = '', endTurn } = draftOf(id);
  if (!explaining) return { decision: 'deny' };
  const message = text.trim();
  return { decision: 'deny', ...(message ? { message } : {}), ...(endTurn ? { interrupt: true } : {}) };
}

/** Why not is being written: whoever allows it now has forgotten that. */
export function isRefusing({ id }: Pick<Approval, 'id'>): boolean {
  const { explaining, text = '' } = draftOf(id);
  return explaining === true && text.trim() !== '';
}

export function warnRefusing({ id }: Pick<Approval, 'id'>) {
  toast({ text: 'Not allowed: a reason against it is written there. Send it, or clear it first.', tone: 'gray' });
  document.querySelector<HTMLElement>(`[data-keep="reason:${CSS.escape(id)}"]`)?.focus();
}

function draftOf(id: string): ApprovalDraft {
  return drafts.get<ApprovalDraft>(draftKey(id)) ?? {};
}
