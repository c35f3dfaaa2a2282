import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';

export interface ChartPoint {
  key: string;
  label: string;
  shortLabel: string;
  value: number;
}

interface Props {
  points: readonly ChartPoint[];
  format: (value: number) => string;
  /** What the bars show: cost by day. */
  what: string;
}

const HEIGHT = 240;
const LABEL_WIDTH = 64;

/** Bars over time. The hovered or selected value is written above; the table below has all of them. */
export function TimeChart({ points, format, what }: Props) {
  const frame = useRef<HTMLElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [byKey, setByKey] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const shown = at === null ? undefined : points[at];
  const total = points.reduce((sum, { value }) => sum + value, 0);

  useEffect(() => {
    const place = frame.current;
    if (!place) return;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(options(place, points, format, setAt), dataOf(points), place);
    };
    draw();
    const resized = new ResizeObserver(() => plot.current?.setSize({ width: place.clientWidth, height: HEIGHT }));
    resized.observe(place);
    // A canvas doesn't follow the theme on its own.
    const themed = new MutationObserver(draw);
    themed.observe(document.documentElement, { attributeFilter: ['data-theme'] });
    const dark = matchMedia('(prefers-color-scheme: dark)');
    dark.addEventListener('change', draw);
    return () => {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener('change', draw);
      plot.current?.destroy();
      plot.current = null;
    };
  }, [points, format]);

  const move = (step: number) => {
    const next = at === null ? (step > 0 ? 0 : points.length - 1) : at + step;
    if (next < 0 || next >= points.length) return;
    setAt(next);
    setByKey(true);
    const left = plot.current?.valToPos(next, 'x') ?? 0;
    plot.current?.setCursor({ left, top: HEIGHT / 2 }, false);
  };

  return (
    <figure className="flex flex-col gap-1">
      <figcaption
        className="flex min-h-6 flex-wrap items-baseline gap-x-3"
        // announced for keyboard users only, since a mouse passes over every bar
        aria-live={byKey ? 'polite' : 'off'}
      >
        <span className="text-2xl font-semibold tabular-nums">{format(shown?.value ?? total)}</span>
        <span className="text-ink-3">{shown?.label ?? `${what}, total`}</span>
      </figcaption>
      <section
        ref={frame}
        aria-label={`Chart: ${what}. Use the left and right arrow keys to step through it.`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys step through the bars
        tabIndex={0}
        className="chart"
        onKeyDown={(event) => {
          if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
          event.preventDefault();
          move(event.key === 'ArrowRight' ? 1 : -1);
        }}
        onBlur={() => setAt(null)}
        onMouseMove={() => setByKey(false)}
        onMouseLeave={() => setAt(null)}
      />
    </figure>
  );
}

function dataOf(points: readonly ChartPoint[]): uPlot.AlignedData {
  return [points.map((_, index) => index), points.map(({ value }) => value)];
}

function options(
  place: HTMLElement,
  points: readonly ChartPoint[],
  format: (value: number) => string,
  onPoint: (index: number | null) => void,
): uPlot.Options {
  const { bar, ink, line } = colorsOf(place);
  const paths = uPlot.paths.bars?.({ size: [0.72, 44], radius: 0.12 });
  const font = `12px ${getComputedStyle(place).fontFamily}`;
  return {
    width: place.clientWidth,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      x: { time: false, range: [-0.6, Math.max(points.length - 0.4, 0.6)] },
      y: { range: (_, __, max) => [0, max > 0 ? max * 1.08 : 1] },
    },
    axes: [
      {
        stroke: ink,
        font,
        size: 30,
        grid: { show: false },
        ticks: { show: false },
        splits: (self) => everyNth(points.length, Math.max(1, Math.floor(self.width / LABEL_WIDTH))),
        values: (_, splits) => splits.map((index) => points[index]?.shortLabel ?? ''),
      },
      {
        stroke: ink,
        font,
        size: 56,
        space: 44,
        grid: { stroke: line, width: 1 },
        ticks: { show: false },
        values: (_, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [{}, { fill: bar, width: 0, points: { show: false }, ...(paths ? { paths } : {}) }],
    hooks: { setCursor: [(self) => onPoint(self.cursor.idx ?? null)] },
  };
}

/** As many ticks as fit without overlapping labels. */
function everyNth(count: number, most: number): number[] {
  const step = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
}

/** A canvas can't use CSS variables, which have a value per theme, so read the computed ones from the page. */
function colorsOf(place: HTMLElement): Record<'bar' | 'ink' | 'line', string> {
  const probe = place.appendChild(document.createElement('span'));
  const read = (name: string) => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const colors = { bar: read('--blue-edge'), ink: read('--ink-3'), line: read('--line') };
  probe.remove();
  return colors;
}
