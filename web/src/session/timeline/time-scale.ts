import type { Timeline } from './use-timeline.ts';

/** An idle gap takes no more room than this share of the active time. */
const PAUSE_SHARE = 0.04;
const MIN_PAUSE_MS = 5_000;

interface Piece {
  from: number;
  to: number;
  /** Start and width, from 0 to 1. */
  start: number;
  width: number;
}

export interface TimeScale {
  /** From 0 to 1. */
  at(time: number): number;
  /** Gaps drawn shorter than they were. */
  cuts: Array<{ at: number; ms: number }>;
}

/** An agent that waited overnight would leave no room for its work, so long gaps are compressed. */
export function timeScale({ lanes, from, to }: Timeline): TimeScale {
  const busy = merge(
    lanes.flatMap(({ spans }) =>
      spans.filter(({ state }) => state !== 'idle').map((span) => [span.from, span.to ?? to]),
    ),
  );
  const busyMs = busy.reduce((sum, [start, end]) => sum + end - start, 0);
  const most = Math.max(MIN_PAUSE_MS, busyMs * PAUSE_SHARE);
  const stretches = withPauses(busy, from, to).map((one) => ({
    ...one,
    drawn: one.isPause ? Math.min(one.to - one.from, most) : one.to - one.from,
  }));
  const total = stretches.reduce((sum, { drawn }) => sum + drawn, 0) || 1;
  const pieces: Piece[] = [];
  const cuts: TimeScale['cuts'] = [];
  let start = 0;
  for (const { from: begins, to: ends, isPause, drawn } of stretches) {
    const width = drawn / total;
    pieces.push({ from: begins, to: ends, start, width });
    if (isPause && ends - begins > drawn) cuts.push({ at: start + width / 2, ms: ends - begins });
    start += width;
  }
  return { cuts, at: (time) => place(pieces, time) };
}

function place(pieces: Piece[], time: number): number {
  const piece = pieces.find(({ to }) => time <= to) ?? pieces.at(-1);
  if (!piece) return 0;
  const share = piece.to > piece.from ? (time - piece.from) / (piece.to - piece.from) : 0;
  return piece.start + piece.width * Math.min(1, Math.max(0, share));
}

function merge(spans: number[][]): Array<[number, number]> {
  const merged: Array<[number, number]> = [];
  for (const [from = 0, to = 0] of spans.sort((a, b) => a[0]! - b[0]!)) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

function withPauses(busy: Array<[number, number]>, from: number, to: number) {
  const stretches: Array<{ from: number; to: number; isPause: boolean }> = [];
  let at = from;
  for (const [start, end] of busy) {
    if (start > at) stretches.push({ from: at, to: start, isPause: true });
    stretches.push({ from: start, to: end, isPause: false });
    at = Math.max(at, end);
  }
  if (to > at) stretches.push({ from: at, to, isPause: true });
  return stretches;
}
