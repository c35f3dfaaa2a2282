import { Search } from 'lucide-react';
import { type RefObject, useId } from 'react';
import { FILTER_FIELDS } from './filter.ts';

interface Props {
  inputRef: RefObject<HTMLInputElement | null>;
  filter: string;
  onFilter: (filter: string) => void;
}

export function FilterBox({ inputRef, filter, onFilter }: Props) {
  const hintId = useId();
  return (
    <search className="relative min-w-0 flex-1 sm:max-w-96">
      <Search aria-hidden size={15} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Filter sessions"
        aria-describedby={hintId}
        aria-keyshortcuts="/"
        placeholder="Filter: words, project:, state:, -branch:"
        className="field pl-8"
        value={filter}
        onChange={(event) => onFilter(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          onFilter('');
          event.currentTarget.blur();
        }}
      />
      <p id={hintId} className="sr-only">
        Type words, or {FILTER_FIELDS.map((field) => `${field}:`).join(' ')} followed by a word. Put a minus in front to
        exclude.
      </p>
    </search>
  );
}
