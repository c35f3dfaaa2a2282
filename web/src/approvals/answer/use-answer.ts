import { useEffect, useRef } from 'react';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import { useLive } from '../../live/live.ts';
import { useDraft } from '../../ui/drafts.ts';
import { type ApprovalDraft, draftKey } from './approval-draft.ts';
import { decideWithToast } from './decide-with-toast.ts';

export const NO_DRAFT: ApprovalDraft = {};

export interface FormProps {
  approval: Approval;
  compact: boolean;
  disabled: boolean;
  /** Part of what is asked is out of sight. */
  hides: boolean;
  /** All of it has been in sight: until then it can be refused, but not allowed. */
  canAllow: boolean;
}

/** What has been written so far as an answer, and the way to give it. */
export function useAnswer(approval: Approval) {
  const live = useLive();
  const [draft, setDraft] = useDraft<ApprovalDraft>(draftKey(approval.id), NO_DRAFT);
  // a field for words that was closed here is opened by the operator; one that comes open belongs to a card that was built anew
  const opened = useRef(false);
  useEffect(() => {
    if (!draft.explaining) opened.current = true;
  }, [draft.explaining]);
  return {
    draft,
    opened,
    write: (part: ApprovalDraft) => setDraft({ ...draft, ...part }),
    decide: (request: DecisionRequest) => void decideWithToast(live, [approval], () => request),
  };
}
