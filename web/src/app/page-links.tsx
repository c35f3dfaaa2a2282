import { Link } from '@tanstack/react-router';
import { useApprovals, useBoard } from '../live/live.ts';
import { useReviewCount } from '../reviews/use-review-count.ts';
import { PAGES, type PageLink } from './pages.ts';

const MAX_COUNT = 999;

export function PageLinks() {
  const waiting = useBoard().columns.needs_you.total;
  const pending = useApprovals().pending.length;
  const toReview = useReviewCount();
  const counts: Partial<Record<PageLink['to'], number>> = { '/': waiting, '/inbox': pending, '/reviews': toReview };
  return PAGES.map(({ to, label, icon: Icon }) => {
    const count = counts[to] ?? 0;
    return (
      <Link key={to} to={to} className="rail-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
        <Icon aria-hidden size={18} />
        <span>{label}</span>
        {count > 0 && (
          // reviews can wait: their count does not call for attention
          <span className="column-count ml-auto" data-calls={to === '/reviews' ? undefined : true}>
            {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
            <span className="sr-only">{to === '/reviews' ? ' to review' : ' waiting'}</span>
          </span>
        )}
      </Link>
    );
  });
}
