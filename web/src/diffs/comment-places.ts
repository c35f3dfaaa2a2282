import type { DiffComment } from '../../../src/contract/comments.ts';
import type { DiffLine } from './pair-lines.ts';

export type Side = DiffComment['side'];

/** How a comment identifies a line. Unchanged lines are on the new side. */
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
  /** Their line is no longer in the diff, or its text has changed. */
  stale: DiffComment[];
}

export const placeName = ({ side, line }: Pick<LineKey, 'side' | 'line'>): string => `${side}:${line}`;

/** Maps a file's comments to its lines. */
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
