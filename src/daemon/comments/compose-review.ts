import type { DiffComment } from '../../contract/comments.ts';

/** Formats comments as one prompt, by file and line. Lines that changed since are marked, not dropped. */
export function composeReview(
  comments: readonly DiffComment[],
  { note, isStale }: { note?: string | undefined; isStale: (comment: DiffComment) => boolean },
): string {
  const sorted = [...comments].sort((a, b) => compare(a.path, b.path) || a.line - b.line || a.at - b.at);
  const opening = note || `I reviewed your changes. Please address ${count(sorted.length)}.`;
  const items = sorted.map(
    (comment, index) =>
      `${index + 1}. ${placeOf(comment, isStale(comment))}\n${quote(comment.code)}\n\n${indent(comment.text)}`,
  );
  return [opening, ...items].join('\n\n');
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
const count = (comments: number): string => (comments === 1 ? 'this comment' : `these ${comments} comments`);

function placeOf({ path, line, side }: DiffComment, isStale: boolean): string {
  const removed = side === 'old' ? ' (a line you removed)' : '';
  return `${path}, line ${line}${removed}${isStale ? ' (this line has changed since the comment was written)' : ''}`;
}

/** Indents text so that nothing in the code or the comment looks like the next item. */
const quote = (code: string): string => indent(`> ${code.trim() === '' ? '(an empty line)' : code}`);
const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `   ${line}`))
    .join('\n');
