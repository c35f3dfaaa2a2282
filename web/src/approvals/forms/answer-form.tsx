import type { ComponentProps, KeyboardEvent, ReactNode, RefObject } from 'react';
import { flushSync } from 'react-dom';

interface Props {
  label: string;
  action: string;
  disabled: boolean;
  /** Submitting would do nothing, though the request can still be answered. */
  isIncomplete?: boolean;
  onSubmit: () => void;
  /** Closes the form. */
  onBack: () => void;
  /** The button that opened it, which gets the focus back. */
  opener: string;
  field: RefObject<HTMLTextAreaElement | null>;
  text: ComponentProps<'textarea'> & { 'data-keep': string };
  /** Below the field. */
  children?: ReactNode;
}

/** A text that goes with an answer. Ctrl-Enter sends it, Escape goes back. */
export function AnswerForm(props: Props) {
  const { label, action, disabled, isIncomplete = false, onSubmit, onBack, opener, field, text, children } = props;
  const back = () => {
    const panel = field.current?.closest('[data-approval]');
    flushSync(onBack);
    panel?.querySelector<HTMLElement>(opener)?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.stopPropagation();
      back();
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && !disabled) onSubmit();
  };
  return (
    <form
      className="flex flex-col gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <label className="flex flex-col gap-1">
        <span className="text-ink-2">{label}</span>
        <textarea ref={field} rows={2} onKeyDown={onKeyDown} {...text} />
      </label>
      {children}
      <div className="answer-actions">
        <button type="submit" className="button" data-kind="primary" data-decides disabled={disabled || isIncomplete}>
          {action}
        </button>
        <button type="button" className="button" onClick={back}>
          Back
        </button>
      </div>
    </form>
  );
}
