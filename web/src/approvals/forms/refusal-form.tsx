import { type RefObject, useEffect, useRef } from 'react';
import type { DecisionRequest } from '../../../../src/contract/approvals.ts';
import type { ApprovalDraft } from '../answer/approval-draft.ts';
import { AnswerForm } from './answer-form.tsx';
import { denialOf } from './refusal.ts';

interface Props {
  id: string;
  label: string;
  action: string;
  disabled: boolean;
  /** Opened by the operator here, not just rebuilt with its card. */
  opened: RefObject<boolean>;
  draft: ApprovalDraft;
  write: (part: ApprovalDraft) => void;
  decide: (request: DecisionRequest) => void;
}

/** A denial with a message for the agent. */
export function RefusalForm({ id, label, action, disabled, opened, draft, write, decide }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  // Opened by a button or key that is gone now. A rebuilt card keeps its focus on its own.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (!opened.current && draft.text) return;
    field.current?.focus();
    // Put the cursor after the existing text.
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);

  return (
    <AnswerForm
      label={label}
      action={action}
      disabled={disabled}
      onSubmit={() => decide(denialOf({ id }))}
      onBack={() => write({ explaining: false })}
      opener="[data-explain]"
      field={field}
      text={{
        'data-keep': `reason:${id}`,
        className: 'field answer-text',
        dir: 'auto',
        maxLength: 20_000,
        value: draft.text ?? '',
        onChange: (event) => write({ text: event.target.value }),
      }}
    >
      <label className="flex items-center gap-2">
        <input
          type="checkbox"
          checked={draft.endTurn ?? false}
          onChange={(event) => write({ endTurn: event.target.checked })}
        />
        Also stop this turn
      </label>
    </AnswerForm>
  );
}

/** Opens the form, and takes the focus back when it closes. */
export function ExplainButton({ label, disabled, write }: Pick<Props, 'label' | 'disabled' | 'write'>) {
  return (
    <button
      type="button"
      data-explain
      className="button"
      disabled={disabled}
      onClick={() => write({ explaining: true })}
    >
      {label}
    </button>
  );
}
