import { CircleHelp, Search, X } from 'lucide-react';
import type { RefObject } from 'react';

interface Props {
  field: RefObject<HTMLInputElement | null>;
  value: string;
  onChange: (value: string) => void;
  helpOpen: boolean;
  onHelp: () => void;
  problem: string | null;
}

export function SearchBox({ field, value, onChange, helpOpen, onHelp, problem }: Props) {
  return (
    <search className="flex flex-col gap-2">
      <div className="search-box">
        <Search aria-hidden size={18} className="shrink-0 text-ink-3" />
        <input
          ref={field}
          type="search"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
          placeholder="Search all sessions"
          aria-label="Search all sessions"
          aria-invalid={problem !== null}
          aria-describedby={problem === null ? undefined : 'search-problem'}
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
          className="search-field"
        />
        {value !== '' && (
          <button
            type="button"
            className="icon-button"
            aria-label="Clear search"
            onClick={() => {
              onChange('');
              field.current?.focus();
            }}
          >
            <X aria-hidden size={17} />
          </button>
        )}
        <button
          type="button"
          className="icon-button"
          aria-label="How to search"
          aria-expanded={helpOpen}
          title="Filters"
          onClick={onHelp}
        >
          <CircleHelp aria-hidden size={18} />
        </button>
      </div>
      {problem !== null && (
        <p id="search-problem" role="alert" data-tone="red" className="text-tone">
          {problem}
        </p>
      )}
    </search>
  );
}
