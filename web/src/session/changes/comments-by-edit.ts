import type { DiffComment } from '../../../../src/contract/comments.ts';
import type { FileChanges } from '../../../../src/contract/messages.ts';
import { placeComments } from '../../diffs/comment-places.ts';

interface ByEdit {
  /** For each edit, the comments that belong to it. */
  byEdit: DiffComment[][];
  /** No edit shows their line. */
  stale: DiffComment[];
}

/** A file may be edited many times, and a line appear in several edits: a comment belongs to the latest one that has it. */
export function commentsByEdit(comments: readonly DiffComment[], changes: FileChanges['changes']): ByEdit {
  const byEdit: DiffComment[][] = changes.map(() => []);
  let left = [...comments];
  for (const [index, { hunks }] of [...changes.entries()].reverse()) {
    const { stale } = placeComments(
      left,
      hunks.flatMap(({ lines }) => lines),
    );
    const elsewhere = new Set(stale);
    byEdit[index] = left.filter((comment) => !elsewhere.has(comment));
    left = stale;
  }
  return { byEdit, stale: left };
}
