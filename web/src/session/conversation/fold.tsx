import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFold } from './folds.ts';

interface Props {
  foldKey: string;
  /** The line that stays visible. */
  line: ReactNode;
  /** At its end: durations, counts, the outcome. */
  aside?: ReactNode;
  tone?: string | undefined;
  initially?: boolean;
  /** Called only while open, so a collapsed part costs nothing. */
  children: () => ReactNode;
}

export function Fold({ foldKey, line, aside, tone, initially, children }: Props) {
  const [open, toggle] = useFold(foldKey, { initially });
  const bodyId = useId();
  return (
    <div className="fold" data-open={open || undefined} data-tone={tone}>
      <button
        type="button"
        className="fold-line"
        aria-expanded={open}
        aria-controls={open ? bodyId : undefined}
        onClick={toggle}
      >
        <ChevronRight aria-hidden size={14} className="fold-chevron" />
        <span className="fold-words">{line}</span>
        {aside && <span className="fold-aside">{aside}</span>}
      </button>
      {open && (
        <div id={bodyId} className="fold-body">
          {children()}
        </div>
      )}
    </div>
  );
}
