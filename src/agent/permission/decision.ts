import type { EventActor } from '../../contract/agent-events.ts';
import type { ApprovalKind } from '../../contract/approvals.ts';

/** A call that may need the operator. */
export interface CallToDecide {
  id: string;
  name: string;
  input: Record<string, unknown>;
  actor: EventActor;
  /** `question` and `plan` always reach the operator: no mode or rule answers in place of a person. */
  kind: ApprovalKind;
  /** Why the operator must be asked regardless of the rules. */
  mustAsk?: string;
  /** It runs in the sandbox: nobody is asked, but a rule or a mode may deny it. */
  isConfined?: boolean;
  /** Changes no files and runs no programs. */
  isRead: boolean;
  /** The files it changes, if it does nothing else. */
  edits?: string[];
  canBackground: boolean;
  /** The change as a patch. */
  preview?: string;
}

export type Decision =
  | { decision: 'allow'; by: string; updatedInput?: Record<string, unknown> }
  | { decision: 'deny'; by: string; message?: string; endsTurn?: boolean }
  | { decision: 'background' | 'kill'; by: string };

/** Resolves with the decision. Each call has its own promise, so a decision never affects another call. */
export type Decide = (call: CallToDecide, options: { signal: AbortSignal }) => Promise<Decision>;

/** Why a question is withdrawn elsewhere: it was answered here. */
export class AnsweredHere extends Error {
  readonly decision: 'allow' | 'deny';

  constructor(decision: 'allow' | 'deny') {
    super('It was answered in its own terminal.');
    this.decision = decision;
  }
}

export const OPERATOR = 'operator';

/** The text the model reads after a denial. Models repeat denied calls unless they are told who denied them. */
export function denialText({ by, message }: { by: string; message?: string }): string {
  if (by === OPERATOR) return message ? `Permission denied by user: ${message}` : 'Permission denied by user';
  return `Permission denied by ${by}: ${message ?? 'this call is not allowed'} Do not try the same call again.`;
}
