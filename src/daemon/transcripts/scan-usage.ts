import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { addSighting, type FileUsage } from './file-usage.ts';
import { isOutOfReach } from './find-transcripts.ts';
import { readLines } from './read-lines.ts';
import { type CostState, costStateOf, startsCostState } from './usage/cost-state.ts';
import { parseLine, readUsage } from './usage.ts';

/** Bytes at both ends of what was read, to tell whether a file that changed only grew. */
const EDGE = 256;

export interface UsageFound {
  /** Where the next scan begins. */
  offset: number;
  edges: string;
  states: CostState[];
}

/** Takes in what the lines from a position on used. Undefined: it cannot be read. */
export function scanUsage(path: string, from: number, usage: FileUsage): UsageFound | undefined {
  const fd = openTranscript(path);
  if (fd === undefined) return undefined;
  const states: CostState[] = [];
  let lastAt: number | null = null;
  try {
    const offset = readLines({
      fd,
      from,
      onLine(bytes, start, end, position) {
        if (startsCostState(bytes, start, end)) {
          const state = costStateOf(parseLine(bytes, start, end) ?? {}, lastAt);
          if (state) states.push(state);
          return;
        }
        for (const record of readUsage(bytes, start, end, position)) {
          lastAt = record.at;
          addSighting(usage, record);
        }
      },
    });
    return { offset, edges: edgesOf(fd, offset), states };
  } finally {
    closeSync(fd);
  }
}

/** Never through a link, and never a thing that would keep us waiting. */
export function openTranscript(path: string): number | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (fstatSync(fd).isFile()) return fd;
    closeSync(fd);
    return undefined;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

/** Of the bytes before the offset. */
export function edgesOf(fd: number, offset: number): string {
  const head = Buffer.alloc(Math.min(EDGE, offset));
  const tail = Buffer.alloc(Math.min(EDGE, offset));
  readSync(fd, head, 0, head.length, 0);
  readSync(fd, tail, 0, tail.length, offset - tail.length);
  return createHash('sha1').update(head).update(tail).digest('base64');
}
