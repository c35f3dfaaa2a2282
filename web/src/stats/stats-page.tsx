import { getRouteApi, Link } from '@tanstack/react-router';
import { ChartColumn } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import type { Stats, StatsRow } from '../../../src/contract/stats.ts';
import { messageOf } from '../api/request.ts';
import { IndexProgress } from '../history/index-progress.tsx';
import { OTHER_REQUESTS } from '../sessions/other-requests.ts';
import { formatDuration, formatTokens, formatUsd, shortModel } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Empty, Failure, Skeleton } from '../ui/states.tsx';
import { DayMap } from './day-map.tsx';
import { costText, otherText, shareText, tokensOf } from './figures.ts';
import { HourMap } from './hour-map.tsx';
import { fillPeriods, type Period, periodLabel, shortPeriodLabel } from './periods.ts';
import { parseRange, type Range } from './range.ts';
import { RangePicker } from './range-picker.tsx';
import { type ShareColumn, ShareTable } from './share-table.tsx';
import { TimeChart } from './time-chart.tsx';
import { useActivity, useStats } from './use-stats.ts';

const route = getRouteApi('/stats');

const PERIODS = [
  { value: 'day', label: 'Days' },
  { value: 'week', label: 'Weeks' },
  { value: 'month', label: 'Months' },
] as const;

const METRICS = {
  cost: { label: 'Cost', weigh: (row: StatsRow) => row.cost?.totalUsd ?? 0, format: formatUsd },
  tokens: { label: 'Tokens', weigh: tokensOf, format: (value: number) => formatTokens(Math.round(value)) },
  prompts: {
    label: 'Prompts',
    weigh: (row: StatsRow) => row.prompts,
    format: (value: number) => String(Math.round(value * 10) / 10),
  },
};
type Metric = keyof typeof METRICS;
const METRIC_OPTIONS = Object.entries(METRICS).map(([value, { label }]) => ({ value: value as Metric, label }));

export function StatsPage() {
  const { by = 'day', range: text } = route.useSearch();
  const navigate = route.useNavigate();
  const { preset, range } = useMemo(() => parseRange(text, new Date()), [text]);
  const overTime = useStats(by, range);

  return (
    <Page
      title="Statistics"
      bar={
        <RangePicker
          preset={preset}
          range={range}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, range: next }), replace: true })}
        />
      }
    >
      <div className="stats" aria-busy={overTime.isPlaceholderData}>
        <IndexProgress />
        {overTime.error && !overTime.data ? (
          <Failure message={messageOf(overTime.error)} onRetry={() => void overTime.refetch()} />
        ) : overTime.isPending ? (
          <Skeleton lines={10} what="statistics" />
        ) : overTime.data.rows.length === 0 ? (
          <Empty icon={ChartColumn} title={preset === 'all' ? 'No data yet' : 'No activity in this period'}>
            <p>{preset === 'all' ? 'Data appears with the first session.' : 'Choose a longer period.'}</p>
          </Empty>
        ) : (
          <>
            <Totals total={overTime.data.total} />
            <OverTime
              stats={overTime.data}
              by={by}
              onBy={(next) => void navigate({ search: (old) => ({ ...old, by: next }), replace: true })}
            />
            <Breakdown range={range} />
          </>
        )}
      </div>
    </Page>
  );
}

function Totals({ total }: { total: StatsRow }) {
  const unpriced = total.cost?.unpricedModels ?? [];
  return (
    <>
      <dl className="tiles">
        <Tile name="Cost" value={costText(total)} note={costNote(total)} />
        <Tile
          name="Tokens"
          value={formatTokens(tokensOf(total))}
          note={`${formatTokens(total.tokens.outputTokens)} output`}
        />
        <Tile
          name="Sessions"
          value={total.sessions.toLocaleString()}
          note={`${total.prompts.toLocaleString()} prompts`}
        />
        <Tile name="Cache hit rate" value={shareText(total.cacheHitRate)} note="of input tokens" />
        <Tile
          name="Tool calls"
          value={total.toolCalls.toLocaleString()}
          note={`${total.messages.toLocaleString()} responses`}
        />
        <Tile
          name="Your response time"
          value={total.approvalWaitMs ? formatDuration(total.approvalWaitMs.median) : '–'}
          note={
            total.approvalWaitMs
              ? `median, ${formatDuration(total.approvalWaitMs.total)} total`
              : `${total.approvals} approvals`
          }
        />
      </dl>
      {total.other && <p className="text-ink-3">Other requests: {OTHER_REQUESTS}</p>}
      {(unpriced.length > 0 || total.cost === null) && (
        <p data-tone="amber" className="notice">
          {unpriced.length > 0 ? unpriced.join(', ') : 'The models used'} {unpriced.length === 1 ? 'has' : 'have'} no
          price, so the cost doesn't include {unpriced.length === 1 ? 'it' : 'them'}.{' '}
          <Link to="/settings" className="link">
            Set a price
          </Link>
        </p>
      )}
    </>
  );
}

function costNote({ cost, other }: StatsRow): string {
  if (cost && cost.unpricedModels.length > 0) return 'some models unpriced';
  return other ? `${costText(other)} of that for other requests` : 'at list prices';
}

function Tile({ name, value, note }: { name: string; value: string; note: string }) {
  return (
    <div className="panel tile">
      <dt className="text-ink-2">{name}</dt>
      <dd className="tile-value">{value}</dd>
      <dd className="text-ink-3">{note}</dd>
    </div>
  );
}

function OverTime({ stats, by, onBy }: { stats: Stats; by: Period; onBy: (by: Period) => void }) {
  const [metric, setMetric] = useState<Metric>('cost');
  const { weigh, format, label } = METRICS[metric];
  // While the new period loads, the old one is shown under its own name.
  const period = stats.by as Period;
  const points = useMemo(() => {
    const rows = new Map(stats.rows.map((row) => [row.key, row]));
    const keys = fillPeriods(period, stats.rows[0]?.key ?? '', stats.rows.at(-1)?.key ?? '');
    return keys.map((key) => {
      const row = rows.get(key);
      return {
        key,
        label: periodLabel(period, key),
        shortLabel: shortPeriodLabel(period, key),
        value: row ? weigh(row) : 0,
      };
    });
  }, [stats, period, weigh]);
  return (
    <Section
      title="Over time"
      actions={
        <>
          <Segmented label="Show" value={metric} options={METRIC_OPTIONS} onChange={setMetric} />
          <Segmented label="By" value={by} options={PERIODS} onChange={onBy} />
        </>
      }
    >
      <TimeChart points={points} format={format} what={`${label} by ${period}`} />
      <details className="figures">
        <summary>Show data</summary>
        <div className="figures-scroll">
          <table className="figures-table">
            <thead>
              <tr>
                {[
                  '',
                  'Sessions',
                  'Prompts',
                  'Input',
                  'Output',
                  'Tokens',
                  'Cached',
                  'Tools',
                  'Other requests',
                  'Cost',
                ].map((name) => (
                  <th key={name} scope="col">
                    {name || <span className="sr-only">{period}</span>}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {stats.rows.toReversed().map((row) => (
                <tr key={row.key}>
                  <th scope="row">{periodLabel(period, row.key)}</th>
                  <td>{row.sessions}</td>
                  <td>{row.prompts}</td>
                  <td>{formatTokens(row.tokens.inputTokens)}</td>
                  <td>{formatTokens(row.tokens.outputTokens)}</td>
                  <td>{formatTokens(tokensOf(row))}</td>
                  <td>{shareText(row.cacheHitRate)}</td>
                  <td>{row.toolCalls}</td>
                  <td>{otherText(row)}</td>
                  <td>{costText(row)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </Section>
  );
}

const COLUMNS: readonly ShareColumn[] = [
  { name: 'Sessions', show: ({ sessions }) => String(sessions), minor: true },
  { name: 'Cached', show: ({ cacheHitRate }) => shareText(cacheHitRate), minor: true },
  { name: 'Tokens', show: (row) => formatTokens(tokensOf(row)) },
  { name: 'Other requests', show: otherText, minor: true },
  { name: 'Cost', show: costText },
];

const TOOL_COLUMNS: readonly ShareColumn[] = [
  { name: 'Calls', show: ({ toolCalls }) => toolCalls.toLocaleString() },
  { name: 'Requests', show: ({ approvals }) => String(approvals) },
  {
    name: 'Response time',
    show: ({ approvalWaitMs }) => (approvalWaitMs ? formatDuration(approvalWaitMs.median) : '–'),
  },
  {
    name: 'p90',
    show: ({ approvalWaitMs }) => (approvalWaitMs ? formatDuration(approvalWaitMs.p90) : '–'),
    minor: true,
  },
];

const byCost = (row: StatsRow) => row.cost?.totalUsd ?? 0;

function Breakdown({ range }: { range: Range }) {
  const projects = useStats('project', range);
  const models = useStats('model', range);
  const tools = useStats('tool', range);
  return (
    <div className="stats-columns">
      <div className="stats-column">
        <Section title="By project">
          <Loaded query={projects} what="projects">
            {({ rows }) => (
              <ShareTable
                what="Project"
                rows={rows}
                label={({ label }) => label}
                weigh={byCost}
                columns={COLUMNS}
                empty="No projects"
              />
            )}
          </Loaded>
        </Section>
        <WhenDone range={range} />
      </div>
      <div className="stats-column">
        <Section title="By model">
          <Loaded query={models} what="models">
            {({ rows }) => (
              <ShareTable
                what="Model"
                rows={rows}
                label={({ label }) => shortModel(label)}
                weigh={byCost}
                columns={COLUMNS}
                empty="No models"
              />
            )}
          </Loaded>
        </Section>
        <Section title="Tools and response times">
          <Loaded query={tools} what="tools">
            {({ rows }) => (
              <ShareTable
                what="Tool"
                rows={rows.toSorted((a, b) => b.toolCalls - a.toolCalls)}
                label={({ label }) => label}
                weigh={({ toolCalls }) => toolCalls}
                columns={TOOL_COLUMNS}
                empty="No tool calls"
              />
            )}
          </Loaded>
        </Section>
      </div>
    </div>
  );
}

const MAPS = [
  { value: 'days', label: 'Days' },
  { value: 'hours', label: 'Hours of the week' },
] as const;

function WhenDone({ range }: { range: Range }) {
  const activity = useActivity(range);
  const [map, setMap] = useState<(typeof MAPS)[number]['value']>('days');
  return (
    <Section title="Activity" actions={<Segmented label="Map" value={map} options={MAPS} onChange={setMap} />}>
      <Loaded query={activity} what="activity">
        {(data) => (map === 'days' ? <DayMap activity={data} range={range} /> : <HourMap activity={data} />)}
      </Loaded>
    </Section>
  );
}

interface LoadedProps<T> {
  query: { data: T | undefined; error: unknown; refetch: () => unknown };
  what: string;
  children: (data: T) => ReactNode;
}

function Loaded<T>({ query: { data, error, refetch }, what, children }: LoadedProps<T>) {
  if (data !== undefined) return children(data);
  if (error) return <Failure message={messageOf(error)} onRetry={() => void refetch()} />;
  return <Skeleton lines={5} what={what} />;
}

function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <section className="panel stats-section">
      <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 className="text-lg font-semibold">{title}</h2>
        {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
