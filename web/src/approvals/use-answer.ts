import type { Approval, DecisionRequest } from '../../../src/contract/approvals.ts';
import { useLive } from '../live/live.ts';
import { useDraft } from '../ui/drafts.ts';
import { type ApprovalDraft, draftKey } from './approval-draft.ts';

const NOTHING: ApprovalDraft = {};

export interface FormProps {
  approval: Approval;
  compact: boolean;
  disabled: boolean;
}

/** What has been written so far as an answer, and the way to give it. */
export function useAnswer(approval: Approval) {
  const { decisions } = useLive();
  const [draft, setDraft] = useDraft<ApprovalDraft>(draftKey(approval.id), NOTHING);
  return {
    draft,
    write: (part: ApprovalDraft) => setDraft({ ...draft, ...part }),
    decide: (request: DecisionRequest) => void decisions.decide(approval, request),
  };
}
