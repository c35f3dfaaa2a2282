interface Props {
  tokens: number | null;
  limit: number | null;
}

/** How full the context window is. Above 80%, the client will soon compact. */
export function ContextGauge({ tokens, limit }: Props) {
  if (tokens === null || !limit) return null;
  const percent = Math.min(100, Math.round((100 * tokens) / limit));
  return (
    <span
      title={`Context: ${tokens.toLocaleString()} of ${limit.toLocaleString()} tokens`}
      data-tone={percent >= 95 ? 'red' : percent >= 80 ? 'amber' : 'gray'}
      className="inline-flex items-center gap-1.5"
    >
      <span aria-hidden className="gauge">
        <span style={{ width: `${percent}%` }} />
      </span>
      <span className="sr-only">Context </span>
      {percent}%
    </span>
  );
}
