import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { useFold } from './folds.ts';

interface Props {
  foldKey: string;
  /** The one line that stays. */
  line: ReactNode;
  /** At its end: durations, counts, how it went. */
  aside?: ReactNode;
  tone?: string | undefined;
  initially?: boolean;
  /** Called only while it is open: what is folded costs nothing. */
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
