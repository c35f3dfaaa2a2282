import type { DiffComment } from '../../contract/comments.ts';
import type { WorktreeFileDiff } from '../../contract/worktrees.ts';

/** The line at a comment's position in the current diff. */
export function lineIn({ hunks }: Pick<WorktreeFileDiff, 'hunks'>, { side, line }: DiffComment): string | undefined {
  for (const { lines } of hunks)
    for (const { text, oldLine, newLine, kind } of lines) {
      const isThere = side === 'old' ? oldLine === line && kind !== 'added' : newLine === line && kind !== 'removed';
      if (isThere) return text;
    }
  return undefined;
}
