import { useEffect, useState } from 'react';
import type { AuditFilter } from './use-audit.ts';

const KINDS = [
  { value: '', label: 'Everything' },
  { value: 'approval.', label: 'Approvals' },
  { value: 'rule.', label: 'Rules' },
  { value: 'review.', label: 'Reviews' },
  { value: 'session.', label: 'Stops and sessions' },
  { value: 'prompt.', label: 'Prompts' },
] as const;

const TYPING_MS = 250;

export function AuditFilters({ filter, onChange }: { filter: AuditFilter; onChange: (filter: AuditFilter) => void }) {
  return (
    <div className="flex flex-wrap items-end gap-3">
      <label className="flex flex-col gap-1 text-sm text-ink-2">
        What
        <select
          className="field w-auto pr-8"
          value={filter.action ?? ''}
          onChange={(event) => onChange({ ...filter, action: event.target.value || undefined })}
        >
          {KINDS.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
          {filter.action && !KINDS.some(({ value }) => value === filter.action) && (
            <option value={filter.action}>{filter.action}</option>
          )}
        </select>
      </label>
      <TextFilter
        label="Who"
        placeholder="Device or rule"
        value={filter.by ?? ''}
        onChange={(by) => onChange({ ...filter, by: by || undefined })}
      />
      <TextFilter
        label="Session"
        placeholder="Session ID"
        value={filter.sessionId ?? ''}
        onChange={(sessionId) => onChange({ ...filter, sessionId: sessionId || undefined })}
      />
    </div>
  );
}

interface TextProps {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
}

/** Filters when typing pauses, not on every key. */
function TextFilter({ label, placeholder, value, onChange }: TextProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed starts the wait
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onChange(text.trim()), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label className="flex min-w-0 flex-1 basis-32 flex-col gap-1 text-sm text-ink-2 sm:max-w-56">
      {label}
      <input
        type="search"
        className="field"
        placeholder={placeholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </label>
  );
}
