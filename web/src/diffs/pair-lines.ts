import type { FileDiff } from '../../../src/contract/messages.ts';

export type DiffLine = FileDiff['hunks'][number]['lines'][number];

/** One row of a two-column diff: before and after. */
export interface LinePair {
  old: DiffLine | null;
  new: DiffLine | null;
}

/** Puts removed lines next to the added lines that replace them. */
export function pairLines(lines: readonly DiffLine[]): LinePair[] {
  const pairs: LinePair[] = [];
  let removed: DiffLine[] = [];
  let added: DiffLine[] = [];
  const flush = () => {
    for (let at = 0; at < Math.max(removed.length, added.length); at++)
      pairs.push({ old: removed[at] ?? null, new: added[at] ?? null });
    removed = [];
    added = [];
  };
  for (const line of lines) {
    if (line.kind === 'removed') {
      // a removal after an addition starts another change
      if (added.length > 0) flush();
      removed.push(line);
    } else if (line.kind === 'added') added.push(line);
    else {
      flush();
      pairs.push({ old: line, new: line });
    }
  }
  flush();
  return pairs;
}
