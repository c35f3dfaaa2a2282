import type { RefObject } from 'react';
import { FilterBox } from './filter-box.tsx';

interface Props {
  filterRef: RefObject<HTMLInputElement | null>;
  onFilter: (filter: string) => void;
}

export function TopBar({ filterRef, onFilter }: Props) {
  return (
    <header className="flex items-center gap-2 border-b border-line bg-bay px-3 py-2 sm:px-4">
      <h1 className="sr-only">Sessions</h1>
      <FilterBox inputRef={filterRef} onFilter={onFilter} />
    </header>
  );
}
