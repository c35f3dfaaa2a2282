import { useEffect, useRef } from 'react';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import type { ApprovalDraft } from '../answer/approval-draft.ts';
import { AnswerForm } from './answer-form.tsx';
import { editableText, editedInput } from './edited-input.ts';

interface Props {
  approval: Approval;
  disabled: boolean;
  draft: ApprovalDraft;
  write: (part: ApprovalDraft) => void;
  decide: (request: DecisionRequest) => void;
}

/** The call as the operator wants it. What is written here is what runs. */
export function EditForm({ approval, disabled, draft, write, decide }: Props) {
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.edited ?? editableText(approval);
  const outcome = editedInput(approval, text);
  useEffect(() => field.current?.focus(), []);
  return (
    <AnswerForm
      label={typeof approval.toolInput.command === 'string' ? 'Run this instead' : 'Call it with this input instead'}
      action="Allow edited"
      disabled={disabled}
      isIncomplete={'problem' in outcome}
      onSubmit={() => 'input' in outcome && decide({ decision: 'allow', updatedInput: outcome.input })}
      onBack={() => write({ editing: false })}
      opener="[data-edit]"
      field={field}
      text={{
        'data-keep': `edit:${approval.id}`,
        className: 'field answer-text max-h-none font-mono',
        dir: 'ltr',
        spellCheck: false,
        autoCapitalize: 'off',
        value: text,
        onChange: (event) => write({ edited: event.target.value }),
      }}
    >
      {'problem' in outcome && <p className="text-ink-2">{outcome.problem}</p>}
    </AnswerForm>
  );
}
