import { hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { type FoundFile, isOutOfReach, toFoundFile } from '../index/find-transcripts.ts';
import { readLines } from '../lines/read-lines.ts';
import { type CostState, costStateOf, startsCostState } from './cost-state.ts';
import { addSighting, type FileUsage } from './file-usage.ts';
import { parseLine, readUsage } from './usage.ts';

/** Bytes at both ends of what was read, to tell whether a changed file only grew. */
const EDGE = 256;

export interface UsageFound {
  /** As it was when opened. */
  file: FoundFile;
  /** Where the next scan starts. */
  offset: number;
  edges: string;
  states: CostState[];
}

/** Adds the usage of the lines from a position. undefined: it can't be read. */
export function scanUsage(path: string, from: number, usage: FileUsage): UsageFound | undefined {
  const opened = openFound(path);
  if (!opened) return undefined;
  const { fd, file } = opened;
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
    return { file, offset, edges: edgesOf(fd, offset), states };
  } finally {
    closeSync(fd);
  }
}

/** Never through a link, and never anything that would block us. */
export function openTranscript(path: string): number | undefined {
  return openFound(path)?.fd;
}

function openFound(path: string): { fd: number; file: FoundFile } | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const found = fstatSync(fd);
    if (found.isFile()) return { fd, file: toFoundFile(path, found) };
    closeSync(fd);
    return undefined;
  } catch (error) {
    if (isOutOfReach(error)) return undefined;
    throw error;
  }
}

const edges = Buffer.alloc(2 * EDGE);

/** Of the bytes before the offset. */
export function edgesOf(fd: number, offset: number): string {
  const length = Math.min(EDGE, offset);
  readSync(fd, edges, 0, length, 0);
  readSync(fd, edges, length, length, offset - length);
  return hash('sha1', edges.subarray(0, 2 * length), 'base64');
}
