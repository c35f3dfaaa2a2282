/** The operator's unfinished answer. One shape for every kind of approval; each uses its part. */
export interface ApprovalDraft {
  /** The field for a reason or feedback is open. */
  explaining?: boolean;
  /** A reason, or feedback on a plan. */
  text?: string;
  endTurn?: boolean;
  /** The call is being edited, and its current text. */
  editing?: boolean;
  edited?: string;
  /** Expanded to its full length. */
  isOpen?: boolean;
  /** The Always dialog is open. */
  isCreatingRule?: boolean;
  /** Chosen labels, by question. */
  chosen?: Record<string, string[]>;
  /** Free text, by question. */
  other?: Record<string, string>;
  /** The fields of a form, by name. */
  fields?: Record<string, string | boolean | string[]>;
}

export const draftKey = (approvalId: string) => `approval:${approvalId}`;

/** What was typed, to return to the operator if it came too late. */
export function writtenIn({ text = '', edited = '', other = {}, fields = {} }: ApprovalDraft): string {
  const typed = Object.values(fields).filter((value) => typeof value === 'string');
  return [text, edited, ...Object.values(other), ...typed]
    .map((part) => part.trim())
    .filter(Boolean)
    .join('\n');
}
