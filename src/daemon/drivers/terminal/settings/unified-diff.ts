const CONTEXT = 3;

type Line = { kind: ' ' | '-' | '+'; text: string };

/** A readable unified diff with three lines of context; '' if nothing differs. */
export function unifiedDiff(before: string, after: string, name: string): string {
  const lines = compareLines(splitLines(before), splitLines(after));
  const hunks = groupHunks(lines);
  if (hunks.length === 0) return '';
  return [`--- ${name}`, `+++ ${name}`, ...hunks.map((hunk) => printHunk(lines, hunk)), ''].join('\n');
}

/** Lines with their line endings, so a missing final newline is a difference like any other. */
const splitLines = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Myers: the shortest edit script. Its cost grows with the changes, not with the file's length. */
function compareLines(before: string[], after: string[]): Line[] {
  const reach = new Map<number, number>([[1, 0]]);
  const trace: Map<number, number>[] = [];
  for (let edits = 0; ; edits++) {
    trace.push(new Map(reach));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepsDown(reach, diagonal, edits) ? at(reach, diagonal + 1) : at(reach, diagonal - 1) + 1;
      let y = x - diagonal;
      while (x < before.length && y < after.length && before[x] === after[y]) {
        x++;
        y++;
      }
      reach.set(diagonal, x);
      if (x >= before.length && y >= after.length) return walkBack(before, after, trace);
    }
  }
}

function walkBack(before: string[], after: string[], trace: Map<number, number>[]): Line[] {
  const lines: Line[] = [];
  let [x, y] = [before.length, after.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] ?? new Map();
    const diagonal = x - y;
    const previous = stepsDown(reach, diagonal, edits) ? diagonal + 1 : diagonal - 1;
    const fromX = at(reach, previous);
    const fromY = fromX - previous;
    while (x > Math.max(fromX, 0) && y > Math.max(fromY, 0)) {
      lines.push({ kind: ' ', text: before[--x] ?? '' });
      y--;
    }
    if (edits === 0) break;
    if (x === fromX) lines.push({ kind: '+', text: after[--y] ?? '' });
    else lines.push({ kind: '-', text: before[--x] ?? '' });
  }
  return lines.reverse();
}

const at = (reach: Map<number, number>, diagonal: number): number => reach.get(diagonal) ?? -1;

const stepsDown = (reach: Map<number, number>, diagonal: number, edits: number): boolean =>
  diagonal === -edits || (diagonal !== edits && at(reach, diagonal - 1) < at(reach, diagonal + 1));

type Hunk = { from: number; to: number };

function groupHunks(lines: Line[]): Hunk[] {
  const hunks: Hunk[] = [];
  lines.forEach(({ kind }, index) => {
    if (kind === ' ') return;
    const last = hunks.at(-1);
    const [from, to] = [Math.max(0, index - CONTEXT), Math.min(lines.length, index + CONTEXT + 1)];
    if (last && from <= last.to) last.to = to;
    else hunks.push({ from, to });
  });
  return hunks;
}

function printHunk(lines: Line[], { from, to }: Hunk): string {
  const shown = lines.slice(from, to);
  const range = (kind: '-' | '+') => {
    const count = (part: Line[]) => part.filter((line) => line.kind === ' ' || line.kind === kind).length;
    const length = count(shown);
    return `${kind}${count(lines.slice(0, from)) + (length > 0 ? 1 : 0)},${length}`;
  };
  return [`@@ ${range('-')} ${range('+')} @@`, ...shown.map(printLine)].join('\n');
}

function printLine({ kind, text }: Line): string {
  if (!text.endsWith('\n')) return `${kind}${text}\n\\ No newline at end of file`;
  return kind + text.slice(0, -1);
}
