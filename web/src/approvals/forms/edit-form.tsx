import { type KeyboardEvent, useEffect, useRef } from 'react';
import { flushSync } from 'react-dom';
import type { Approval, DecisionRequest } from '../../../../src/contract/approvals.ts';
import type { ApprovalDraft } from '../answer/approval-draft.ts';
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

  const allow = () => 'input' in outcome && decide({ decision: 'allow', updatedInput: outcome.input });
  const back = () => {
    const panel = field.current?.closest('[data-approval]');
    flushSync(() => write({ editing: false }));
    panel?.querySelector<HTMLElement>('[data-edit]')?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      back();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !disabled) allow();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        allow();
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">
          {typeof approval.toolInput.command === 'string' ? 'Run this instead' : 'Call it with this input instead'}
        </span>
        <textarea
          ref={field}
          data-keep={`edit:${approval.id}`}
          className="field answer-text max-h-none font-mono"
          dir="ltr"
          rows={2}
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={(event) => write({ edited: event.target.value })}
          onKeyDown={onKeyDown}
        />
      </label>
      {'problem' in outcome && <p className="text-ink-2">{outcome.problem}</p>}
      <div className="answer-actions">
        <button
          type="submit"
          className="button"
          data-kind="primary"
          data-decides
          disabled={disabled || 'problem' in outcome}
        >
          Allow edited
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </div>
    </form>
  );
}
