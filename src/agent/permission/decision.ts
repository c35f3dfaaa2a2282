import type { EventActor } from '../../contract/agent-events.ts';
import type { ApprovalKind } from '../../contract/approvals.ts';

/** A call that may need the operator. */
export interface CallToDecide {
  id: string;
  name: string;
  input: Record<string, unknown>;
  actor: EventActor;
  /** `question` and `plan` always reach the operator: no mode and no rule answers for a person. */
  kind: ApprovalKind;
  /** The operator must be asked, whatever the rules say: why. */
  mustAsk?: string;
  /** It runs in the sandbox: nobody is asked, but a rule or a mode may deny it. */
  isConfined?: boolean;
  /** Changes no file and runs no program. */
  isRead: boolean;
  /** Changes files and nothing else: which. */
  edits?: string[];
  canBackground: boolean;
  /** What would change, as a patch. */
  preview?: string;
}

export type Decision =
  | { decision: 'allow'; by: string; updatedInput?: Record<string, unknown> }
  | { decision: 'deny'; by: string; message?: string; endsTurn?: boolean }
  | { decision: 'background' | 'kill'; by: string };

/** Resolves when somebody decided. Each call has its own promise: a decision never touches another call. */
export type Decide = (call: CallToDecide, options: { signal: AbortSignal }) => Promise<Decision>;

/** Why a question is taken back elsewhere: somebody answered it here. */
export class AnsweredHere extends Error {
  readonly decision: 'allow' | 'deny';

  constructor(decision: 'allow' | 'deny') {
    super('It was answered in its own terminal.');
    this.decision = decision;
  }
}

export const OPERATOR = 'operator';

/** What the model reads after a denial. Models repeat denied calls unless told who denied them. */
export function denialText({ by, message }: { by: string; message?: string }): string {
  if (by === OPERATOR) return message ? `Permission denied by user: ${message}` : 'Permission denied by user';
  return `Permission denied by ${by}: ${message ?? 'this call is not allowed'} Do not try the same call again.`;
}
