import { Coins } from 'lucide-react';
import { Suspense, useMemo } from 'react';
import { lazyPart } from '../../app/load-part.ts';
import { OTHER_REQUESTS } from '../../sessions/other-requests.ts';
import { SpendingNotes } from '../../sessions/spending-notes.tsx';
import { totalTokens } from '../../sessions/total-tokens.ts';
import { formatTokens, formatUsd, shortModel } from '../../ui/format.ts';
import { Empty, Skeleton } from '../../ui/states.tsx';
import type { SessionFacts } from '../use-session-facts.ts';
import { spendingLine } from './spending-line.ts';

const SpendingChart = lazyPart(() => import('./spending-chart.tsx'));

export default function CostTab({ facts: { session, history, isLive } }: { facts: SessionFacts }) {
  const models = session?.usageByModel.length ? session.usageByModel : (history?.usageByModel ?? []);
  const others = session ? session.otherUsage : (history?.otherUsage ?? []);
  const rows = [
    ...models.map((usage) => ({ ...usage, name: shortModel(usage.model), isOther: false })),
    ...others.map((usage) => ({ ...usage, name: `${shortModel(usage.model)}, other requests`, isOther: true })),
  ];
  const startedAt = history?.startedAt ?? session?.startedAt ?? null;
  const cost = session?.cost ?? history?.cost ?? null;
  const line = useMemo(
    () => (history ? spendingLine(history.spending, { startedAt, lastActivityAt: history.lastActivityAt }) : []),
    [history, startedAt],
  );
  if (rows.length === 0)
    return (
      <Empty icon={Coins} title="No cost yet">
        <p>Usage is counted from the transcript, shortly after it is written.</p>
      </Empty>
    );
  return (
    <div className="flex flex-col gap-6">
      {line.length > 0 && (
        <figure className="panel m-0 p-4">
          <figcaption className="mb-3 font-semibold">
            Spent so far{cost && <span className="font-normal text-ink-2"> · {formatUsd(cost.totalUsd)}</span>}
          </figcaption>
          <Suspense fallback={<Skeleton lines={5} what="the chart" />}>
            <SpendingChart points={line} />
          </Suspense>
        </figure>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section aria-label="By model" tabIndex={0} className="overflow-x-auto">
        <table className="data-table">
          <caption className="sr-only">Cost and tokens by model</caption>
          <thead>
            <tr>
              <th scope="col">Model</th>
              <th scope="col" className="text-right">
                Cost
              </th>
              <th scope="col" className="text-right">
                Tokens
              </th>
              <th scope="col" className="wide-only text-right">
                Input
              </th>
              <th scope="col" className="wide-only text-right">
                Output
              </th>
              <th scope="col" className="wide-only text-right">
                Cache read
              </th>
              <th scope="col" className="wide-only text-right">
                Cache write
              </th>
            </tr>
          </thead>
          <tbody className="whitespace-nowrap tabular-nums">
            {rows.map(({ name, isOther, tokens, cost: spent }) => (
              <tr key={name} title={isOther ? OTHER_REQUESTS : undefined}>
                <th scope="row">{name}</th>
                <td className="text-right">{spent ? formatUsd(spent.totalUsd) : 'unknown'}</td>
                <td className="text-right">{formatTokens(totalTokens(tokens))}</td>
                <td className="wide-only text-right">{formatTokens(tokens.inputTokens)}</td>
                <td className="wide-only text-right">{formatTokens(tokens.outputTokens)}</td>
                <td className="wide-only text-right">{formatTokens(tokens.cacheReadTokens)}</td>
                <td className="wide-only text-right">{formatTokens(tokens.cacheCreationTokens)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {others.length > 0 && <p className="text-ink-3">Other requests: {OTHER_REQUESTS}</p>}
      <SpendingNotes
        inherited={session?.inherited ?? history?.inherited ?? null}
        uncounted={session?.uncounted ?? null}
        hasEnded={!isLive}
      />
      {cost && cost.unpricedModels.length > 0 && (
        <p className="text-ink-3">
          The total leaves out {cost.unpricedModels.join(', ').slice(0, 200)}, which have no price. Set prices in
          Settings.
        </p>
      )}
    </div>
  );
}
