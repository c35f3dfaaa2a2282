import { formatTime } from '../../ui/dates.ts';
import 'uplot/dist/uPlot.min.css';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import { formatTokens, formatUsd } from '../../ui/format.ts';
import type { SpendingPoint } from './spending-line.ts';

const HEIGHT = 220;
/** Cost and tokens rise together: on scales of the same height, one line would hide the other. */
const TOKENS_ROOM = 1.5;
/** A 12-hour clock needs more room. */
const CLOCK_WIDTH = 80;

/** Dollars on the left axis, tokens on the right; the token line is dashed. */
export default function SpendingChart({ points }: { points: readonly SpendingPoint[] }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const host = box.current;
    if (!host) return;
    const data: uPlot.AlignedData = [
      points.map(({ at }) => at / 1000),
      points.map(({ totalUsd }) => totalUsd),
      points.map(({ tokens }) => tokens),
    ];
    // Without a pointer over the chart, the legend shows the current values.
    const sayLatest = (plot: uPlot) => plot.setLegend({ idx: points.length - 1 }, false);
    const hooks: uPlot.Hooks.Arrays = {
      ready: [sayLatest],
      setCursor: [(plot) => plot.cursor.idx == null && sayLatest(plot)],
    };
    const chart = new uPlot({ ...chartOptions(host), hooks }, data, host);
    const sizes = new ResizeObserver(() => chart.setSize({ width: host.clientWidth, height: HEIGHT }));
    sizes.observe(host);
    return () => {
      sizes.disconnect();
      chart.destroy();
    };
  }, [points]);
  const last = points.at(-1);
  return (
    <div
      ref={box}
      role="img"
      aria-label={last ? `Rises to ${formatUsd(last.totalUsd)} and ${formatTokens(last.tokens)} tokens` : 'Empty'}
      className="spending-chart"
    />
  );
}

function chartOptions(host: HTMLElement): uPlot.Options {
  const ink = colorOf(host, '--ink-3');
  const grid = { stroke: colorOf(host, '--line'), width: 1 };
  const axis = { stroke: ink, grid, ticks: grid, font: '12px system-ui, sans-serif' };
  return {
    width: host.clientWidth,
    height: HEIGHT,
    scales: { usd: { range: fromZero(1.08) }, tokens: { range: fromZero(TOKENS_ROOM) } },
    axes: [
      { ...axis, space: CLOCK_WIDTH, values: (_, times) => times.map((time) => formatTime(time * 1000)) },
      { ...axis, scale: 'usd', size: 64, values: (_, values) => values.map(formatUsd) },
      {
        ...axis,
        scale: 'tokens',
        side: 1,
        size: 64,
        grid: { show: false },
        values: (_, values) => values.map(formatTokens),
      },
    ],
    series: [
      { label: 'Time', value: (_, time) => (time === null ? '' : formatTime(time * 1000)) },
      {
        label: 'Cost',
        scale: 'usd',
        stroke: colorOf(host, '--green-edge'),
        width: 2,
        points: { show: false },
        value: (_, value) => (value === null ? '' : formatUsd(value)),
      },
      {
        label: 'Tokens',
        scale: 'tokens',
        stroke: colorOf(host, '--blue-edge'),
        width: 1.5,
        dash: [5, 4],
        points: { show: false },
        value: (_, value) => (value === null ? '' : formatTokens(value)),
      },
    ],
  };
}

const fromZero =
  (room: number) =>
  (_: uPlot, _min: number, max: number): [number, number] => [0, max > 0 ? max * room : 1];

/** A canvas can't use CSS variables, and light-dark() only resolves on an element. */
function colorOf(host: HTMLElement, name: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}
