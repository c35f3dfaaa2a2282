import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { type FoundFile, isOutOfReach, toFoundFile } from '../index/find-transcripts.ts';
import { type CostState, costStateOf, startsCostState } from './cost-state.ts';
import { edgesIn, edgesOf } from './edge-fingerprint.ts';
import { type ScannedMessages, UsageScanner } from './fast/usage-scanner.ts';
import { parseLine, type UsageRecord, usageOf } from './usage.ts';

export interface UsageFound {
  /** As it was when opened. */
  file: FoundFile;
  edges: string;
  states: CostState[];
  messages: ScannedMessages;
  /** Of lines that had to be parsed. */
  records: UsageRecord[];
}

let scanner: UsageScanner | undefined;

/** What the lines from a position on used. Undefined: the file can't be read. */
export function scanUsage(path: string, from: number): UsageFound | undefined {
  const opened = openFound(path);
  if (!opened) return undefined;
  const { fd, file } = opened;
  const states: CostState[] = [];
  const records: UsageRecord[] = [];
  let lastAt: number | null = null;
  let edges: { offset: number; told: string } | undefined;
  scanner ??= new UsageScanner();
  try {
    const messages = scanner.scan({
      fd,
      from,
      onLines(bytes, start, end, position) {
        if (position === 0) edges = { offset: end - start, told: edgesIn(bytes, end) };
      },
      onUnclear(bytes, start, end, position, at) {
        if (!Number.isNaN(at)) lastAt = at;
        const line = parseLine(bytes, start, end);
        if (!line) return;
        if (startsCostState(bytes, start, end)) {
          const state = costStateOf(line, lastAt);
          if (state) states.push(state);
          return;
        }
        for (const record of usageOf(line, position)) {
          lastAt = record.at;
          records.push(record);
        }
      },
    });
    const { offset } = messages;
    return { file, edges: edges?.offset === offset ? edges.told : edgesOf(fd, offset), states, messages, records };
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
