import type { QueryPart, SearchPage } from '../../../src/contract/search.ts';
import { clipLine } from '../ui/format.ts';

/** How many matches there are and how the query was interpreted: a pasted command may not mean what it seems. */
export function QuerySummary({ page: { read, total, isTotalCapped } }: { page: SearchPage }) {
  const count = `${total.toLocaleString()}${isTotalCapped ? '+' : ''}`;
  return (
    <p className="query-summary text-ink-3">
      <span className="tabular-nums" aria-live="polite">
        {count} {total === 1 && !isTotalCapped ? 'match' : 'matches'}
      </span>
      {isTotalCapped && <span> · ranking the newest</span>} · searched for{' '}
      {read.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one query, which never move
        <span key={index}>
          {index > 0 && ', '}
          {part.kind === 'without' && 'without '}
          <span className="code">{textOf(part)}</span>
        </span>
      ))}
    </p>
  );
}

function textOf({ text, isPrefix }: QueryPart): string {
  return clipLine(text, 80) + (isPrefix ? '…' : '');
}
