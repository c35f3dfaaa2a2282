import { closeSync } from 'node:fs';
import { findTranscripts, lookAt, realProjects, type Unreadable, whyUnreadable } from '../index/find-transcripts.ts';
import { openTranscript } from '../usage/scan-usage.ts';
import { parseLine } from '../usage/usage.ts';
import { countProblem, PASSED_OVER, problemOf, wasRead } from './line-problems.ts';
import { readLines } from './read-lines.ts';

/** Known transcript line types. Every client release adds new ones. */
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
  /** Damaged lines, by file. */
  problems: { path: string; problem: string; count: number; isRead: boolean }[];
  unreadable: { count: number; paths: Unreadable[] };
}

/** Counts the line types in the newest transcripts. Reads at most `maxBytes`, since a person is waiting. */
export function tallyLineTypes(configDir: string, { maxFiles = 50, maxBytes = 64 * 1024 * 1024 } = {}): LineTypeTally {
  const counts = new Map<string, number>();
  const problems: LineTypeTally['problems'] = [];
  const found = findTranscripts(realProjects(configDir));
  const unreadable = [...found.unreadable];
  let bytes = 0;
  let files = 0;
  let lines = 0;
  const all = found.paths.flatMap((path) => lookAt(path) ?? []);
  for (const { path, size } of all.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    const reason = whyUnreadable(path);
    if (reason) unreadable.push({ path, reason });
    if (reason || files >= maxFiles || bytes + size > maxBytes) continue;
    bytes += size;
    files++;
    const wrong = tallyFile(path, (type) => {
      lines++;
      if (type !== undefined && !isKnownLineType(type)) counts.set(type, (counts.get(type) ?? 0) + 1);
    });
    for (const [problem, count] of Object.entries(wrong))
      problems.push({ path, problem, count, isRead: wasRead(problem) });
  }
  const unknown = [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count);
  return { files, lines, unknown, problems, unreadable: { count: unreadable.length, paths: unreadable } };
}

/** Reports each line's type, undefined if it is skipped. Returns the problems and their counts. */
function tallyFile(path: string, onType: (type: string | undefined) => void): Record<string, number> {
  const problems: Record<string, number> = {};
  const fd = openTranscript(path);
  if (fd === undefined) return problems;
  const passOver = (problem: string) => {
    onType(undefined);
    countProblem(problems, problem);
  };
  try {
    readLines({
      fd,
      from: 0,
      onLine(bytes, start, end, _, nuls) {
        const line = parseLine(bytes, start, end);
        onType(line && (typeof line.type === 'string' ? line.type : '(no type)'));
        countProblem(problems, problemOf({ bytes: bytes.subarray(start, end), nuls, isRead: line !== undefined }));
      },
      onNuls: () => passOver(PASSED_OVER.onlyNuls),
      onTooLong: () => passOver(PASSED_OVER.tooLong),
    });
    return problems;
  } finally {
    closeSync(fd);
  }
}
