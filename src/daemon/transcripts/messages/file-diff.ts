import type { FileDiff } from '../../../contract/messages.ts';
import { isRecord, recordOf, textOf } from '../../../contract/values.ts';
import { compareTexts, type Hunk, numberLines, toFileDiff } from '../../diffs/compare-texts.ts';
import { recordsOf } from '../lines/line.ts';
import type { FoundResult } from './entry.ts';

type Call = { name: string; input: Record<string, unknown> };

const EDITS = new Set(['Edit', 'MultiEdit', 'Write', 'NotebookEdit']);

/** What an edit changed, or is about to. null: not an edit, or it failed. */
export function diffOf({ name, input }: Call, result: FoundResult | undefined, maxLines: number): FileDiff | null {
  if (!EDITS.has(name) || result?.isError) return null;
  const detail = recordOf(result?.detail);
  const path = textOf(detail.filePath) || textOf(input.file_path) || textOf(input.notebook_path);
  return toFileDiff(path, hunksOfPatch(detail.structuredPatch) ?? hunksOfInput(name, input), maxLines);
}

/** undefined: the client wrote none, as for a new file. */
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
    return compareTexts(before, after);
  });
}

/** Which subagent a call started, from its result. */
export function agentIdOf({ name }: Call, result: FoundResult | undefined): string | null {
  if (name !== 'Agent' && name !== 'Task') return null;
  const detail = result?.detail;
  return (isRecord(detail) && textOf(detail.agentId)) || null;
}
