import { structuredPatch } from 'diff';
import type { FileDiff } from '../../../contract/messages.ts';
import { isRecord, recordOf, recordsOf, textOf } from '../line.ts';
import type { FoundResult } from './entry.ts';

type Hunk = FileDiff['hunks'][number];
type Call = { name: string; input: Record<string, unknown> };

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);
/** Beyond that the shortest way from one text to the other is not looked for: all of the old goes, all of the new comes. */
const MAX_EDITS = 1000;

/** What an edit changed, or is about to. Null: it is none, or it failed. */
export function diffOf({ name, input }: Call, result: FoundResult | undefined, maxLines: number): FileDiff | null {
  if (!EDITS.has(name) || result?.isError) return null;
  const detail = recordOf(result?.detail);
  const path = textOf(detail.filePath) || textOf(input.file_path) || textOf(input.notebook_path);
  const hunks = hunksOfPatch(detail.structuredPatch) ?? hunksOfInput(name, input);
  const lines = hunks.flatMap((hunk) => hunk.lines);
  return {
    path,
    added: lines.filter(({ kind }) => kind === 'added').length,
    removed: lines.filter(({ kind }) => kind === 'removed').length,
    hunks: clipHunks(hunks, maxLines),
    clipped: lines.length > maxLines,
  };
}

/** Undefined: the client wrote none, as for a new file. */
function hunksOfPatch(patch: unknown): Hunk[] | undefined {
  const found = recordsOf(patch).map(({ oldStart, newStart, lines }) => ({
    lines: numberLines(
      Array.isArray(lines) ? lines.filter((line) => typeof line === 'string') : [],
      Number(oldStart) || 1,
      Number(newStart) || 1,
    ),
  }));
  return found.some(({ lines }) => lines.length > 0) ? found : undefined;
}

function hunksOfInput(name: string, input: Record<string, unknown>): Hunk[] {
  const edits = name === 'MultiEdit' ? recordsOf(input.edits) : [input];
  return edits.flatMap((edit) => {
    const before = textOf(edit.old_string);
    const after = textOf(edit.new_string) || textOf(edit.content) || textOf(edit.new_source);
    return compare(before, after);
  });
}

function compare(before: string, after: string): Hunk[] {
  const patch = structuredPatch('', '', before, after, '', '', { context: 3, maxEditLength: MAX_EDITS });
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

function numberLines(lines: string[], oldStart: number, newStart: number): Hunk['lines'] {
  let [oldLine, newLine] = [oldStart, newStart];
  return lines.flatMap((line) => {
    // the fourth kind says that a file ends without a newline
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

function clipHunks(hunks: Hunk[], maxLines: number): Hunk[] {
  let left = maxLines;
  return hunks.flatMap(({ lines }) => {
    const kept = lines.slice(0, left);
    left -= kept.length;
    return kept.length > 0 ? [{ lines: kept }] : [];
  });
}

/** Which subagent a call started, as its result tells. */
export function agentIdOf({ name }: Call, result: FoundResult | undefined): string | null {
  if (name !== 'Agent' && name !== 'Task') return null;
  const detail = result?.detail;
  return (isRecord(detail) && textOf(detail.agentId)) || null;
}
