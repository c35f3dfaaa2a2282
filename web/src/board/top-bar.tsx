import type { RefObject } from 'react';
import { HooksPopover } from '../hooks/hooks-popover.tsx';
import type { HooksControl } from '../hooks/use-hooks.ts';
import { FilterBox } from './filter-box.tsx';

interface Props {
  filterRef: RefObject<HTMLInputElement | null>;
  onFilter: (filter: string) => void;
  hooks: HooksControl;
  onInstall: () => void;
}

export function TopBar({ filterRef, onFilter, hooks, onInstall }: Props) {
  return (
    <header className="flex items-center gap-2 border-b border-line bg-bay px-3 py-2 sm:px-4">
      <h1 className="sr-only">Sessions</h1>
      <FilterBox inputRef={filterRef} onFilter={onFilter} />
      <div className="ml-auto flex items-center gap-0.5">
        <HooksPopover hooks={hooks} onInstall={onInstall} />
      </div>
    </header>
  );
}
