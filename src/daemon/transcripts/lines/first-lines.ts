import { closeSync } from 'node:fs';
import { textOf } from '../../../contract/values.ts';
import { openTranscript } from '../usage/scan-usage.ts';
import { parseLine } from '../usage/usage.ts';
import { type Line, timeOf } from './line.ts';
import { readLines } from './read-lines.ts';

/** The session that a transcript's first lines name. */
export function sessionInside(path: string): string | undefined {
  return firstIn(path, (line) => textOf(line.sessionId) || undefined);
}

/** When its first line with a time was written. */
export function beginningOf(path: string): number | undefined {
  return firstIn(path, (line) => timeOf(line) ?? undefined);
}

function firstIn<T>(path: string, pick: (line: Line) => T | undefined): T | undefined {
  const fd = openTranscript(path);
  if (fd === undefined) return undefined;
  let found: T | undefined;
  try {
    readLines({
      fd,
      from: 0,
      onLine(bytes, start, end) {
        if (found !== undefined) return;
        const line = parseLine(bytes, start, end);
        found = line && pick(line);
      },
      isEnough: (position) => position > 0,
    });
  } finally {
    closeSync(fd);
  }
  return found;
}
