import { Link } from '@tanstack/react-router';
import { useAttention } from '../live/live.ts';
import { useReviewCount } from '../reviews/use-review-count.ts';
import { PAGES, type PageLink } from './pages.ts';

const MAX_COUNT = 999;

interface Count {
  count: number;
  what: string;
  /** Shown beside the number, which is ambiguous on its own. */
  unit?: string;
  /** Only requests are highlighted; the rest can wait. */
  calls?: true;
}

/** From here on there is no room for the unit. */
const WIDE = 100;
const NOTHING: Count = { count: 0, what: '' };

export function PageLinks() {
  const { requests, idle } = useAttention();
  const counts: Partial<Record<PageLink['to'], Count>> = {
    '/': { count: idle, what: 'idle', unit: ' idle' },
    '/inbox': { count: requests, what: 'to answer', calls: true },
    '/reviews': { count: useReviewCount(), what: 'to review' },
  };
  return PAGES.map(({ to, label, icon: Icon }) => {
    const { count, what, unit = '', calls } = counts[to] ?? NOTHING;
    return (
      <Link key={to} to={to} className="rail-link" activeOptions={{ exact: to === '/', includeSearch: false }}>
        <Icon aria-hidden size={18} />
        <span className="min-w-0 truncate">{label}</span>
        {count > 0 && (
          <span className="column-count ml-auto shrink-0 whitespace-nowrap" data-calls={calls}>
            {count > MAX_COUNT ? `${MAX_COUNT}+` : count}
            {unit && count < WIDE ? (
              <span className="rail-unit">{unit}</span>
            ) : (
              <span className="sr-only"> {what}</span>
            )}
          </span>
        )}
      </Link>
    );
  });
}
