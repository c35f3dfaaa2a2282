import { isAbsolute, normalize, resolve } from 'node:path';
import type { EventCall } from '../../contract/agent-events.ts';

const WRITERS = new Set(['Edit', 'MultiEdit', 'NotebookEdit', 'Write']);

/** The file a call writes; undefined if none is visible. What a shell command writes isn't. */
export function writtenFile({ name, input }: EventCall, cwd: string | null): string | undefined {
  if (!WRITERS.has(name) || typeof input !== 'object' || input === null) return undefined;
  const { file_path, notebook_path } = input as Record<string, unknown>;
  const path = file_path ?? notebook_path;
  if (typeof path !== 'string' || path === '' || path.length > 4096) return undefined;
  if (isAbsolute(path)) return normalize(path);
  return cwd === null ? undefined : resolve(cwd, path);
}
