import { useId } from 'react';
import { contentOf, type FieldValues, type FormField, fieldsOf } from '../../../../src/contract/form-fields.ts';
import { safeHref } from '../../markdown/safe-href.ts';
import { clip } from '../../ui/format.ts';
import { type FormProps, useAnswer } from '../answer/use-answer.ts';
import { AnswerActions } from './answer-actions.tsx';

/** A form that one of the session's MCP servers asks the operator to fill in. */
export function ElicitationForm({ approval, disabled }: FormProps) {
  const { draft, write, decide } = useAnswer(approval);
  const { message, url, schema } = approval.toolInput;
  const fields = fieldsOf(schema);
  const values = draft.fields ?? {};
  const outcome = contentOf(fields, values);
  const href = typeof url === 'string' ? safeHref(url) : undefined;
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        if ('content' in outcome) decide({ decision: 'allow', updatedInput: outcome.content });
      }}
    >
      <p dir="auto" className="whitespace-pre-wrap">
        {clip(typeof message === 'string' ? message : '', { max: 4_000 })}
      </p>
      {href && (
        <a href={href} className="link break-all" target="_blank" rel="noopener noreferrer">
          {clip(href, { max: 300 })}
        </a>
      )}
      {fields.map((field) => (
        <Field
          key={field.name}
          field={field}
          keep={`field:${approval.id}:${field.name}`}
          value={values[field.name] ?? field.initial}
          disabled={disabled}
          onChange={(value) => write({ fields: { ...values, [field.name]: value } })}
        />
      ))}
      <AnswerActions approval={approval}>
        <button
          type="submit"
          className="button"
          data-kind="primary"
          data-decides
          disabled={disabled || 'problem' in outcome}
        >
          Accept
        </button>
        <button
          type="button"
          className="button"
          data-decides
          disabled={disabled}
          onClick={() => decide({ decision: 'deny' })}
        >
          Decline
        </button>
        {'problem' in outcome && <span className="self-center text-ink-3">{outcome.problem}</span>}
      </AnswerActions>
    </form>
  );
}

interface FieldProps {
  field: FormField;
  keep: string;
  value: FieldValues[string];
  disabled: boolean;
  onChange: (value: FieldValues[string]) => void;
}

function Field({ field, keep, value, disabled, onChange }: FieldProps) {
  const id = useId();
  const { title, description, required, type, options } = field;
  if (type === 'boolean') {
    return (
      <label className="flex items-start gap-2">
        <input
          type="checkbox"
          checked={value === true}
          disabled={disabled}
          onChange={(event) => onChange(event.target.checked)}
        />
        <FieldName title={title} description={description} required={false} />
      </label>
    );
  }
  if (type === 'choices') {
    const chosen = Array.isArray(value) ? value : [];
    return (
      <fieldset className="question" disabled={disabled}>
        <legend>
          <FieldName title={title} description={description} required={required} />
        </legend>
        {options.map((option) => (
          <label key={option.value} className="option">
            <input
              type="checkbox"
              checked={chosen.includes(option.value)}
              onChange={(event) =>
                onChange([
                  ...chosen.filter((one) => one !== option.value),
                  ...(event.target.checked ? [option.value] : []),
                ])
              }
            />
            <bdi>{clip(option.label, { max: 300 })}</bdi>
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>
        <FieldName title={title} description={description} required={required} />
      </label>
      {type === 'choice' ? (
        <select
          id={id}
          className="field"
          value={String(value)}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">Choose…</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {clip(option.label, { max: 120 })}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          data-keep={keep}
          type={type === 'text' ? field.input : 'number'}
          step={type === 'integer' ? 1 : 'any'}
          className="field"
          dir="auto"
          value={String(value)}
          disabled={disabled}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </div>
  );
}

function FieldName({ title, description, required }: { title: string; description: string; required: boolean }) {
  return (
    <span className="min-w-0">
      <bdi className="font-medium">{clip(title, { max: 200 })}</bdi>
      {required && <span className="text-ink-3"> (required)</span>}
      {description && (
        <span dir="auto" className="block text-ink-3">
          {clip(description, { max: 600 })}
        </span>
      )}
    </span>
  );
}
