import { Search } from 'lucide-react';
import { type RefObject, useState } from 'react';

interface Props {
  inputRef: RefObject<HTMLInputElement | null>;
  onFilter: (filter: string) => void;
}

export function FilterBox({ inputRef, onFilter }: Props) {
  const [value, setValue] = useState('');
  const change = (next: string) => {
    setValue(next);
    onFilter(next);
  };
  return (
    <search className="relative min-w-0 flex-1 sm:max-w-72">
      <Search aria-hidden size={15} className="absolute top-1/2 left-2.5 -translate-y-1/2 text-ink-3" />
      <input
        ref={inputRef}
        type="search"
        aria-label="Filter sessions"
        aria-keyshortcuts="/"
        placeholder="Filter"
        className="field pl-8"
        value={value}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          change('');
          event.currentTarget.blur();
        }}
      />
    </search>
  );
}
