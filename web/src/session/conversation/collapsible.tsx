import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useExpanded } from './expanded-parts.ts';

interface Props {
  partKey: string;
  /** The line that stays visible. */
  line: ReactNode;
  /** At its end: durations, counts, the outcome. */
  aside?: ReactNode;
  tone?: string | undefined;
  initially?: boolean;
  /** Called only while open, so a collapsed part costs nothing. */
  children: () => ReactNode;
}

export function Collapsible({ partKey, line, aside, tone, initially, children }: Props) {
  const [open, toggle] = useExpanded(partKey, { initially });
  const bodyId = useId();
  return (
    <div className="collapsible" data-open={open || undefined} data-tone={tone}>
      <button
        type="button"
        className="collapsible-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={toggle}
      >
        <ChevronRight aria-hidden size={14} className="collapsible-chevron" />
        <span className="collapsible-words">{line}</span>
        {aside && <span className="collapsible-aside">{aside}</span>}
      </button>
      {open && (
        <div id={bodyId} className="collapsible-body">
          {children()}
        </div>
      )}
    </div>
  );
}
