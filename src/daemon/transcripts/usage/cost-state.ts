import { isRecord, recordOf, textOf } from '../../../contract/values.ts';
import { countOf, type Line } from '../lines/line.ts';
import type { Totals } from './totals.ts';

/**
 * The client's own sum, written into a transcript when it leaves the session: all requests by model, including those without a message line
 * (compaction, web search, titles). A resumed session continues from its last one, and one forked with `--fork-session` from its parent's.
 */
export interface CostState {
  sessionId: string;
  /** When the client started summing, in the session where it started: the same for a fork and its parent. */
  startTime: number;
  /** How long it has been summing, without pauses between two runs of the client. */
  duration: number;
  /** When the last message before it was written. null: unknown. */
  at: number | null;
  models: Record<string, StateTotals>;
}

export interface StateTotals extends Totals {
  usd: number;
}

const MARK = Buffer.from('{"type":"cost-state",');
/** A file with endless new models must not exhaust our memory. */
const MAX_MODELS = 100;

export function startsCostState(bytes: Buffer, start: number, end: number): boolean {
  // one byte distinguishes it from nearly all other lines
  if (bytes[start + 9] !== MARK[9] || end - start < MARK.length) return false;
  for (let place = 0; place < MARK.length; place++) if (bytes[start + place] !== MARK[place]) return false;
  return true;
}

/** undefined: not one, or nothing usable in it. */
export function costStateOf(line: Line, at: number | null): CostState | undefined {
  const { sessionId, startTime, modelUsage } = line;
  if (line.type !== 'cost-state' || typeof startTime !== 'number' || !isRecord(modelUsage)) return undefined;
  const models = Object.entries(modelUsage).slice(0, MAX_MODELS);
  return {
    sessionId: textOf(sessionId),
    startTime,
    duration: countOf(line.totalDuration),
    at,
    models: Object.fromEntries(models.map(([model, used]) => [model, totalsOf(recordOf(used))])),
  };
}

function totalsOf(used: Record<string, unknown>): StateTotals {
  const written = countOf(used.cacheCreationInputTokens);
  const hour = Math.min(countOf(used.cacheCreationEphemeral1hInputTokens), written);
  return {
    input: countOf(used.inputTokens),
    output: countOf(used.outputTokens),
    cacheRead: countOf(used.cacheReadInputTokens),
    cacheWrite5m: written - hour,
    cacheWrite1h: hour,
    webSearches: countOf(used.webSearchRequests),
    usd: typeof used.costUSD === 'number' && used.costUSD > 0 ? used.costUSD : 0,
  };
}
