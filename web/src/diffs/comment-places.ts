import type { DiffComment } from '../../../src/contract/comments.ts';
import type { DiffLine } from './pair-lines.ts';

export type Side = DiffComment['side'];

/** A line as comments name it. Unchanged ones are on the new side. */
export interface LineKey {
  side: Side;
  line: number;
  code: string;
}

export function keyOf({ kind, oldLine, newLine, text }: DiffLine): LineKey | null {
  const side: Side = kind === 'removed' ? 'old' : 'new';
  const line = side === 'old' ? oldLine : newLine;
  return line === null ? null : { side, line, code: text.slice(0, 2000) };
}

export interface Placed {
  /** By `side:line`. */
  byLine: ReadonlyMap<string, DiffComment[]>;
  /** Their line is not in the diff any more, or reads differently. */
  stale: DiffComment[];
}

export const placeName = ({ side, line }: Pick<LineKey, 'side' | 'line'>): string => `${side}:${line}`;

/** Which comments stand beside which lines of a file. */
export function placeComments(comments: readonly DiffComment[], lines: readonly DiffLine[]): Placed {
  const codes = new Map(lines.flatMap((line) => keyOf(line) ?? []).map((key) => [placeName(key), key.code]));
  const byLine = new Map<string, DiffComment[]>();
  const stale: DiffComment[] = [];
  for (const comment of comments) {
    const name = placeName(comment);
    if (codes.get(name) !== comment.code) stale.push(comment);
    else byLine.set(name, [...(byLine.get(name) ?? []), comment]);
  }
  return { byLine, stale };
}
