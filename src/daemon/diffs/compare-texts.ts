import { structuredPatch } from 'diff';
import type { FileDiff } from '../../contract/messages.ts';

export type Hunk = FileDiff['hunks'][number];

const CONTEXT_LINES = 3;
/** Beyond this, don't search for a minimal diff: remove all old lines, add all new ones. */
const MAX_EDITS = 1000;

/** The difference between two texts, with line numbers. */
export function compareTexts(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: CONTEXT_LINES, maxEditLength: MAX_EDITS });
  if (!patch) return [{ lines: numberLines([...prefixed('-', before), ...prefixed('+', after)], 1, 1) }];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({ lines: numberLines(lines, oldStart, newStart) }));
}

function prefixed(sign: string, text: string): string[] {
  return text
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => sign + line);
}

const KINDS: Record<string, Hunk['lines'][number]['kind'] | undefined> = { ' ': 'same', '+': 'added', '-': 'removed' };

/** Lines of a patch, with their positions in the old and new text. */
export function numberLines(lines: string[], oldStart: number, newStart: number): Hunk['lines'] {
  let [oldLine, newLine] = [oldStart, newStart];
  return lines.flatMap((line) => {
    // The fourth kind says that a file ends without a newline.
    const kind = KINDS[line[0] ?? ' '];
    if (!kind) return [];
    const text = line.slice(1);
    return [
      {
        kind,
        oldLine: kind === 'added' ? null : oldLine++,
        newLine: kind === 'removed' ? null : newLine++,
        text,
      },
    ];
  });
}

/** A unified diff of one file, truncated after `maxLines`. */
export function toFileDiff(path: string, hunks: Hunk[], maxLines: number): FileDiff {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    hunks: clipHunks(hunks, maxLines),
    clipped: lines.length > maxLines,
  };
}

function clipHunks(hunks: Hunk[], maxLines: number): Hunk[] {
  let left = maxLines;
  return hunks.flatMap(({ lines }) => {
    const kept = lines.slice(0, left);
    left -= kept.length;
    return kept.length > 0 ? [{ lines: kept }] : [];
  });
}
