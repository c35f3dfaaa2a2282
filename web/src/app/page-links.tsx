import { Link } from '@tanstack/react-router';
import { useApprovals, useBoard } from '../live/live.ts';
import { PAGES, type PageLink } from './pages.ts';

export function PageLinks() {
  const waiting = useBoard().columns.needs_you.total;
  const pending = useApprovals().pending.length;
  const counts: Partial<Record<PageLink['to'], number>> = { '/': waiting, '/inbox': pending };
  return PAGES.map(({ to, label, icon: Icon }) => {
    const count = counts[to] ?? 0;
    return (
      <Link key={to} to={to} className="rail-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
        <Icon aria-hidden size={18} />
        <span>{label}</span>
        {count > 0 && (
          <span className="column-count ml-auto" data-calls>
            {count}
            <span className="sr-only"> waiting</span>
          </span>
        )}
      </Link>
    );
  });
}
