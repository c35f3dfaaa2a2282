import { closeSync } from 'node:fs';
import { readLines } from './read-lines.ts';
import { openTranscript } from './scan-usage.ts';
import { parseLine } from './usage.ts';

/** The session that the first lines of a transcript name. */
export function sessionInside(path: string): string | undefined {
  const fd = openTranscript(path);
  if (fd === undefined) return undefined;
  let sessionId: string | undefined;
  try {
    readLines({
      fd,
      from: 0,
      onLine(bytes, start, end) {
        const found = sessionId ?? parseLine(bytes, start, end)?.sessionId;
        if (typeof found === 'string' && found !== '') sessionId = found;
      },
      isEnough: (position) => position > 0,
    });
  } finally {
    closeSync(fd);
  }
  return sessionId;
}
