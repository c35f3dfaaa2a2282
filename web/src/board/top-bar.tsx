import { CircleHelp, Moon, Sun } from 'lucide-react';
import type { RefObject } from 'react';
import { HooksPopover } from '../hooks/hooks-popover.tsx';
import type { HooksControl } from '../hooks/use-hooks.ts';
import { ConnectionStatus } from '../live/connection-status.tsx';
import { BrandMark } from '../ui/brand-mark.tsx';
import { useTheme } from '../ui/theme.ts';
import { FilterBox } from './filter-box.tsx';

interface Props {
  filterRef: RefObject<HTMLInputElement | null>;
  onFilter: (filter: string) => void;
  hooks: HooksControl;
  onInstall: () => void;
  onHelp: () => void;
}

export function TopBar({ filterRef, onFilter, hooks, onInstall, onHelp }: Props) {
  const { theme, toggle } = useTheme();
  return (
    <header className="flex items-center gap-2 border-b border-line bg-strip px-3 py-2 sm:gap-4 sm:px-4">
      <h1 className="flex items-center gap-2.5 font-semibold tracking-tight whitespace-nowrap">
        <BrandMark />
        <span className="text-[1.0714rem] max-sm:sr-only">Ground Control</span>
      </h1>
      <FilterBox inputRef={filterRef} onFilter={onFilter} />
      <div className="ml-auto flex items-center gap-0.5">
        <ConnectionStatus />
        <button
          type="button"
          className="icon-button max-sm:hidden"
          aria-label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          onClick={onHelp}
        >
          <CircleHelp aria-hidden size={18} />
        </button>
        <button
          type="button"
          className="icon-button"
          aria-label={theme === 'dark' ? 'Switch to light' : 'Switch to dark'}
          onClick={toggle}
        >
          {theme === 'dark' ? <Sun aria-hidden size={18} /> : <Moon aria-hidden size={18} />}
        </button>
        <HooksPopover hooks={hooks} onInstall={onInstall} />
      </div>
    </header>
  );
}
