import { useId, useState } from 'react';

interface Props {
  label: string;
  start?: string;
  submit: string;
  onSubmit: (text: string) => void;
  onCancel: () => void;
}

/** Ctrl-Enter saves, Escape cancels. */
export function CommentForm({ label, start = '', submit, onSubmit, onCancel }: Props) {
  const [text, setText] = useState(start);
  const id = useId();
  const save = () => {
    if (text.trim() !== '') onSubmit(text.trim());
  };
  return (
    <form
      className="diff-comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: opened by the operator, to write in it
        autoFocus
        data-keep
        rows={3}
        className="field py-2"
        placeholder={label}
        value={text}
        maxLength={20_000}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
          if (event.key === 'Escape') onCancel();
          else return;
          event.stopPropagation();
        }}
      />
      <div className="flex justify-end gap-2">
        <button type="button" className="button" onClick={onCancel}>
          Cancel
        </button>
        <button type="submit" className="button" data-kind="primary" disabled={text.trim() === ''}>
          {submit}
        </button>
      </div>
    </form>
  );
}
