import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Line types of the transcripts that we know of. New ones come with every release of the client. */
const KNOWN = new Set([
  'agent-name',
  'agent-setting',
  'ai-title',
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'assistant',
  'atis-latch',
  'attachment',
  'bridge-session',
  'cost-state',
  'custom-title',
  'file-history-delta',
  'file-history-snapshot',
  'last-prompt',
  'mode',
  'permission-mode',
  'progress',
  'queue-operation',
  'summary',
  'system',
  'tag',
  'tools-used',
  'user',
]);

export function isKnownLineType(type: unknown): boolean {
  return typeof type === 'string' && KNOWN.has(type);
}

export interface LineTypeTally {
  files: number;
  lines: number;
  unknown: { type: string; count: number }[];
}

/** Counts the line types in the newest transcripts; reads at most `maxBytes`, since this runs while a person waits. */
export async function tallyLineTypes(
  configDir: string,
  { maxFiles = 50, maxBytes = 64 * 1024 * 1024 } = {},
): Promise<LineTypeTally> {
  const counts = new Map<string, number>();
  let bytes = 0;
  let files = 0;
  let lines = 0;
  for (const { path, size } of (await newestTranscripts(join(configDir, 'projects'))).slice(0, maxFiles)) {
    if (bytes + size > maxBytes) break;
    bytes += size;
    files++;
    for await (const line of createInterface({
      input: createReadStream(path, 'utf8'),
      crlfDelay: Number.POSITIVE_INFINITY,
    })) {
      lines++;
      const type = typeOf(line);
      if (!KNOWN.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
    }
  }
  const unknown = [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count);
  return { files, lines, unknown };
}

async function newestTranscripts(projects: string): Promise<{ path: string; size: number; changed: number }[]> {
  const entries = await readdir(projects, { recursive: true }).catch(() => []);
  const paths = entries.filter((name) => name.endsWith('.jsonl')).map((name) => join(projects, name));
  const found = await Promise.all(
    paths.map(async (path) => {
      const info = await stat(path).catch(() => undefined);
      return info ? [{ path, size: info.size, changed: info.mtimeMs }] : [];
    }),
  );
  return found.flat().sort((a, b) => b.changed - a.changed);
}

function typeOf(line: string): string {
  try {
    const { type } = JSON.parse(line);
    return typeof type === 'string' ? type : '(no type)';
  } catch (error) {
    if (error instanceof SyntaxError) return '(not JSON)';
    throw error;
  }
}
