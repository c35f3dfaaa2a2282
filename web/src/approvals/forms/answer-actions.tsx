import type { ReactNode } from 'react';
import type { Approval } from '../../../../src/contract/approvals.ts';
import { UndoCountdown } from '../notes/undo-countdown.tsx';

/** The answer buttons, or the undo button while a decision can still be undone. */
export function AnswerActions({ approval, children }: { approval: Approval; children: ReactNode }) {
  if (approval.held) return <UndoCountdown approval={approval} held={approval.held} />;
  return <div className="answer-actions">{children}</div>;
}
