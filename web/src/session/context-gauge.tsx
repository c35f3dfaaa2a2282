import { formatTokens } from '../ui/format.ts';

/** From here on the client thinks of compacting. */
const HIGH = 0.8;

/** How full the model's context is. */
export function ContextGauge({ used, limit, short = false }: { used: number; limit: number | null; short?: boolean }) {
  if (limit === null || limit <= 0) return <>{formatTokens(used)} in context</>;
  const share = Math.min(1, used / limit);
  const percent = Math.round(share * 100);
  return (
    <span
      className="context-gauge"
      data-tone={share >= HIGH ? 'amber' : 'gray'}
      title={`${formatTokens(used)} of ${formatTokens(limit)} tokens in context`}
    >
      <span aria-hidden className="context-bar">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="sr-only">Context </span>
      <span className="tabular-nums">
        {percent} %
        {!short && (
          <span className="text-ink-3">
            {' '}
            · {formatTokens(used)} of {formatTokens(limit)}
          </span>
        )}
      </span>
    </span>
  );
}
