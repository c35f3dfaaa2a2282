export interface Hunk {
  oldStart: number;
  oldLines: number;
  newStart: number;
  newLines: number;
  lines: string[];
}

/** The one hunk between two texts, with three lines of context. */
export function makePatch(before: string, after: string, { startLine = 1 }: { startLine?: number } = {}): Hunk[] {
  const old = linesOf(before);
  const next = linesOf(after);
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  if (head === old.length && head === next.length) return [];
  const from = Math.max(0, head - CONTEXT);
  const keep = Math.min(tail, CONTEXT);
  const lines = [
    ...old.slice(from, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...next.slice(head, next.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail, old.length - tail + keep).map((line) => ` ${line}`),
  ];
  const start = startLine + from;
  const oldLines = old.length - tail + keep - from;
  return [{ oldStart: start, oldLines, newStart: start, newLines: next.length - tail + keep - from, lines }];
}

const CONTEXT = 3;

const linesOf = (text: string): string[] => (text === '' ? [] : text.replace(/\n$/, '').split('\n'));
