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
  /** Part of the request is out of view. */
  hides: boolean;
  /** Everything has been in view. Until then it can be denied but not allowed. */
  canAllow: boolean;
}

/** The answer written so far, and how to send it. */
export function useAnswer(approval: Approval) {
  const live = useLive();
  const [draft, setDraft] = useDraft<ApprovalDraft>(draftKey(approval.id), NO_DRAFT);
  // If the field was closed before, the operator opened it here. If it starts out open, the card was only rebuilt.
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
