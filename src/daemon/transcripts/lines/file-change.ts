import { isAbsolute, join } from 'node:path';
import { isRecord, textOf } from '../../../contract/values.ts';
import { recordsOf } from './line.ts';

export interface FileChange {
  path: string;
  kind: 'edit' | 'read';
  added: number;
  removed: number;
}

const EDITS = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** What a call did to a file: from its result, or from its input if the result doesn't say. */
export function fileChangeOf(
  call: { name: string; path: string; added: number; removed: number },
  result: unknown,
  cwd: string,
): FileChange | null {
  if (!call.path) return null;
  const path = isAbsolute(call.path) || !cwd ? call.path : join(cwd, call.path);
  if (call.name === 'Read') return { path, kind: 'read', added: 0, removed: 0 };
  if (!EDITS.has(call.name)) return null;
  const { added, removed } = linesOfResult(result) ?? call;
  return { path, kind: 'edit', added, removed };
}

function linesOfResult(result: unknown): { added: number; removed: number } | undefined {
  if (!isRecord(result) || !Array.isArray(result.structuredPatch)) return undefined;
  // a new file has an empty patch
  if (result.type === 'create') return { added: lineCount(result.content), removed: 0 };
  let added = 0;
  let removed = 0;
  for (const { lines } of recordsOf(result.structuredPatch)) {
    for (const line of Array.isArray(lines) ? lines : []) {
      if (textOf(line).startsWith('+')) added++;
      if (textOf(line).startsWith('-')) removed++;
    }
  }
  return { added, removed };
}

export function linesOfInput(input: Record<string, unknown>): { added: number; removed: number } {
  const edits = Array.isArray(input.edits) ? recordsOf(input.edits) : [input];
  return {
    added: edits.reduce((sum, edit) => sum + lineCount(edit.new_string ?? edit.content ?? edit.new_source), 0),
    removed: edits.reduce((sum, edit) => sum + lineCount(edit.old_string), 0),
  };
}

/** A trailing line feed doesn't start another line. */
function lineCount(value: unknown): number {
  const text = textOf(value);
  if (text === '') return 0;
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < text.length - 1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
