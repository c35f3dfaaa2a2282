import type { FileUsage } from './file-usage.ts';
import type { UsageRecord } from './usage.ts';

/** The messages of a transcript: their keys, and what decides which of several sightings of a message counts. */
export interface Sightings {
  /** A list, or one below the other. */
  keys: string | string[];
  /** `RANK` numbers for each: its tokens, its time, and its penalty. */
  ranks: Float64Array;
}

export const RANK = 3;
/** Higher is worse, as in `isBetterSighting`. */
export const AGAINST = { copy: 4, forked: 2, sidechain: 1 };

export const NO_SIGHTINGS: Sightings = { keys: [], ranks: new Float64Array(0) };

export function sightingsOf(usage: FileUsage): Sightings {
  const ranks = new Float64Array(usage.size * RANK);
  let place = 0;
  for (const record of usage.values()) {
    ranks[place] = record.input + record.output + record.cacheRead + record.cacheWrite5m + record.cacheWrite1h;
    ranks[place + 1] = record.at;
    ranks[place + 2] = against(record);
    place += RANK;
  }
  return { keys: [...usage.keys()], ranks };
}

function against({ isCopy, isForked, isSidechain }: UsageRecord): number {
  return (isCopy ? AGAINST.copy : 0) + (isForked ? AGAINST.forked : 0) + (isSidechain ? AGAINST.sidechain : 0);
}

/** Above 0: the first one counts; below 0: the second; 0: undecided. */
export function compareRanks(one: Float64Array, place: number, other: Float64Array, otherPlace: number): number {
  const tokens = one[place]! - other[otherPlace]!;
  if (tokens !== 0) return tokens;
  const worse = other[otherPlace + 2]! - one[place + 2]!;
  return worse !== 0 ? worse : other[otherPlace + 1]! - one[place + 1]!;
}
