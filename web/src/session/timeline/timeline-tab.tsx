import { Link } from '@tanstack/react-router';
import { Activity } from 'lucide-react';
import { useMemo } from 'react';
import { messageOf } from '../../api/request.ts';
import { styleOf } from '../../sessions/state-style.ts';
import { formatSeconds, formatTime } from '../../ui/dates.ts';
import { clipLine, formatDuration } from '../../ui/format.ts';
import { Empty, Failure, Skeleton } from '../../ui/states.tsx';
import type { SessionFacts } from '../use-session-facts.ts';
import { type TimeScale, timeScale } from './time-scale.ts';
import { type Lane, type Span, type Timeline, useTimeline } from './use-timeline.ts';

/** Narrower than a hairline, but still visible. */
const MIN_WIDTH = 0.0015;
const LISTED = 400;

export default function TimelineTab({ facts }: { facts: SessionFacts }) {
  const { timeline, error, isPending, hasEarlier, isFetchingEarlier, loadEarlier, retry } = useTimeline(facts);
  const scale = useMemo(() => timeScale(timeline), [timeline]);
  const tasks = new Map(
    [...(facts.history?.subAgentList ?? []), ...(facts.session?.subAgents ?? [])].map(({ id, description }) => [
      id,
      description ?? undefined,
    ]),
  );
  if (error && timeline.lanes.length === 0) return <Failure message={messageOf(error)} onRetry={retry} />;
  if (isPending) return <Skeleton lines={8} what="the timeline" />;
  if (timeline.lanes.length === 0)
    return (
      <Empty icon={Activity} title="No timeline">
        <p>The timeline comes from hooks, and none have arrived from this session.</p>
      </Empty>
    );
  return (
    <div className="flex flex-col gap-5">
      {hasEarlier && (
        <button type="button" className="button self-start" disabled={isFetchingEarlier} onClick={loadEarlier}>
          {isFetchingEarlier ? 'Loading…' : 'Load earlier'}
        </button>
      )}
      <Legend timeline={timeline} />
      <div className="timeline">
        {timeline.lanes.map((lane) => (
          <LaneRow key={lane.actorId} lane={lane} task={tasks.get(lane.actorId)} scale={scale} end={timeline.to} />
        ))}
        <Axis timeline={timeline} scale={scale} />
      </div>
      <ToolTimes tools={timeline.tools} />
      <SpanList timeline={timeline} sessionId={facts.id} />
    </div>
  );
}

interface LaneProps {
  lane: Lane;
  /** The subagent's task, since there may be many of one type. */
  task: string | undefined;
  scale: TimeScale;
  end: number;
}

function LaneRow({ lane, task, scale, end }: LaneProps) {
  const label = `${lane.name}: ${lane.spans.length} spans, listed below`;
  return (
    <div className="timeline-lane">
      <span className="timeline-name" title={clipLine([lane.name, task].filter(Boolean).join(': '), 300)}>
        <bdi>{clipLine(task || lane.name, 80)}</bdi>
      </span>
      <svg role="img" aria-label={label} className="timeline-track">
        {lane.spans.map((span) => (
          <SpanMark key={`${span.from}/${span.state}`} span={span} scale={scale} end={end} />
        ))}
      </svg>
    </div>
  );
}

/** Taller the more it needs the operator, so it reads without color. */
const HEIGHTS = { needs_you: [0, 100], autonomous: [25, 50], delivered: [40, 20] } as const;

function SpanMark({ span, scale, end }: { span: Span; scale: TimeScale; end: number }) {
  const from = scale.at(span.from);
  const width = Math.max(MIN_WIDTH, scale.at(span.to ?? end) - from);
  const [y, height] = span.state === 'idle' ? [46, 8] : HEIGHTS[span.group];
  return (
    <rect
      data-tone={toneOf(span)}
      className="timeline-span"
      x={`${from * 100}%`}
      width={`${width * 100}%`}
      y={`${y}%`}
      height={`${height}%`}
      fillOpacity={span.state === 'thinking' ? 0.5 : 1}
    >
      <title>{`${span.label}, ${formatDuration((span.to ?? end) - span.from)}`}</title>
    </rect>
  );
}

function Axis({ timeline, scale }: { timeline: Timeline; scale: TimeScale }) {
  return (
    <div aria-hidden className="timeline-axis">
      <span className="timeline-time" style={{ left: 0 }}>
        {clockTime(timeline.from)}
      </span>
      {scale.cuts
        .filter(({ at }) => at > 0.12 && at < 0.88)
        .slice(0, 6)
        .map(({ at, ms }) => (
          <span key={at} className="timeline-cut" style={{ left: `${at * 100}%` }}>
            {formatDuration(ms)}
          </span>
        ))}
      <span className="timeline-time" style={{ right: 0 }}>
        {clockTime(timeline.to)}
      </span>
    </div>
  );
}

function Legend({ timeline }: { timeline: Timeline }) {
  const totals = new Map<string, { span: Span; ms: number }>();
  for (const span of timeline.lanes.flatMap(({ spans }) => spans)) {
    const ms = (span.to ?? timeline.to) - span.from;
    totals.set(span.state, { span, ms: (totals.get(span.state)?.ms ?? 0) + ms });
  }
  return (
    <ul aria-label="Time in each state" className="flex flex-wrap gap-x-5 gap-y-1.5">
      {timeline.lanes.length > 1 && <li className="text-ink-3">All {timeline.lanes.length} agents together:</li>}
      {[...totals.values()]
        .sort((a, b) => b.ms - a.ms)
        .map(({ span, ms }) => {
          const { icon: Icon, label } = styleOf(span);
          return (
            <li key={span.state} data-tone={toneOf(span)} className="flex items-center gap-1.5">
              <Icon aria-hidden size={14} className="text-tone" />
              <span className="font-medium text-ink-2">{label}</span>
              <span className="text-ink-3 tabular-nums">{formatDuration(ms)}</span>
            </li>
          );
        })}
    </ul>
  );
}

/** How long the tools ran, without the time that calls waited for an answer. */
function ToolTimes({ tools }: Pick<Timeline, 'tools'>) {
  if (tools.length === 0) return null;
  return (
    <table className="data-table tool-times">
      <caption>Tool times</caption>
      <thead>
        <tr>
          <th scope="col">Tool</th>
          <th scope="col" className="text-right">
            Calls
          </th>
          <th scope="col" className="text-right">
            Failed
          </th>
          <th scope="col" className="text-right">
            Total
          </th>
          <th scope="col" className="text-right">
            Longest
          </th>
        </tr>
      </thead>
      <tbody>
        {tools.map(({ name, calls, failed, totalMs, longestMs }) => (
          <tr key={name}>
            <td>
              <bdi>{clipLine(name, 80)}</bdi>
            </td>
            <td className="text-right tabular-nums">{calls.toLocaleString('en-US')}</td>
            <td className="text-right tabular-nums">{failed.toLocaleString('en-US')}</td>
            <td className="text-right tabular-nums whitespace-nowrap">{toolTime(totalMs)}</td>
            <td className="text-right tabular-nums whitespace-nowrap">{toolTime(longestMs)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SpanList({ timeline, sessionId }: { timeline: Timeline; sessionId: string }) {
  const rows = timeline.lanes
    .flatMap((lane) => lane.spans.map((span) => ({ lane, span })))
    .filter(({ span }) => span.state !== 'thinking')
    .sort((a, b) => b.span.from - a.span.from);
  return (
    <table className="data-table">
      <caption className="sr-only">Activity, newest first</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          <th scope="col">What</th>
          <th scope="col" className="wide-only">
            Who
          </th>
          <th scope="col" className="text-right">
            Duration
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, LISTED).map(({ lane, span }) => {
          const { icon: Icon, label } = styleOf(span);
          return (
            <tr key={`${lane.actorId}/${span.from}/${span.state}`}>
              <td className="text-ink-3 tabular-nums whitespace-nowrap">{clockTime(span.from, true)}</td>
              <td data-tone={toneOf(span)}>
                <Icon aria-label={label} size={14} className="mr-2 inline align-[-2px] text-tone" />
                <Link
                  to="/sessions/$sessionId"
                  params={{ sessionId }}
                  search={placeOf(lane, span)}
                  preload={false}
                  className="row-link"
                >
                  <bdi>{span.label}</bdi>
                </Link>
              </td>
              <td className="wide-only text-ink-3 whitespace-nowrap">
                <bdi>{lane.name}</bdi>
              </td>
              <td className="text-right tabular-nums text-ink-2 whitespace-nowrap">
                {howLong((span.to ?? timeline.to) - span.from)}
              </td>
            </tr>
          );
        })}
      </tbody>
      {rows.length > LISTED && (
        <tfoot>
          <tr>
            <td colSpan={4} className="text-ink-3">
              and {rows.length - LISTED} earlier
            </td>
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** Where in the conversation it happened: its call, or else the time. */
function placeOf({ actorId }: Lane, { callId, from }: Span) {
  const agent = actorId === 'main' ? {} : { agent: actorId };
  return callId !== null ? { ...agent, message: callId } : { ...agent, at: from };
}

const toolTime = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : formatDuration(ms));
const howLong = (ms: number) => (ms < 1000 ? '<1s' : formatDuration(ms));

/** An idle agent waits for nobody in particular, so it isn't highlighted. */
const toneOf = (span: Span) => styleOf(span).tone;

function clockTime(at: number, seconds = false): string {
  return seconds ? formatSeconds(at) : formatTime(at);
}
