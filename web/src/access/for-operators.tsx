import { Eye } from 'lucide-react';
import type { ReactNode } from 'react';
import { useRole } from './use-role.ts';

/** Controls that change something. Viewers see them disabled; the daemon would refuse anyway. */
export function ForOperators({ children }: { children: ReactNode }) {
  return (
    <fieldset disabled={useRole() === 'viewer'} className="contents">
      {children}
    </fieldset>
  );
}

/** Explains why a viewer can't change anything on this page. */
export function ViewerNote() {
  if (useRole() !== 'viewer') return null;
  return (
    <p data-tone="gray" className="notice flex items-center gap-2.5">
      <Eye aria-hidden size={16} className="shrink-0 text-ink-3" />
      View only: an operator can make changes here.
    </p>
  );
}
