import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { drafts } from '../../ui/drafts.ts';
import { toast } from '../../ui/toasts.tsx';
import { type ApprovalDraft, draftKey } from '../answer/approval-draft.ts';

/** A denial with the text in its form, no matter how it is triggered. */
export function denialOf({ id }: Pick<Approval, 'id'>): DecisionRequest {
  const { explaining, text = '', endTurn } = draftOf(id);
  if (!explaining) return { decision: 'deny' };
  const message = text.trim();
  return { decision: 'deny', ...(message ? { message } : {}), ...(endTurn ? { interrupt: true } : {}) };
}

/** The operator is writing a reason to deny, or editing the call, so a plain allow is probably a mistake. Says so. */
export function stopsAllowing({ id }: Pick<Approval, 'id'>): boolean {
  const { explaining, editing, text = '', edited } = draftOf(id);
  const field = explaining && text.trim() ? 'reason' : editing && edited !== undefined ? 'edit' : null;
  if (!field) return false;
  toast({
    text:
      field === 'reason'
        ? 'Not allowed: you are writing a reason to deny it. Send the reason or clear it first.'
        : 'Not allowed: you are editing this request. Allow the edit or go back first.',
    tone: 'gray',
  });
  document.querySelector<HTMLElement>(`[data-keep="${field}:${CSS.escape(id)}"]`)?.focus();
  return true;
}

function draftOf(id: string): ApprovalDraft {
  return drafts.get<ApprovalDraft>(draftKey(id)) ?? {};
}
