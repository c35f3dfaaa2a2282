import { isRecord } from '../../../contract/values.ts';
/** What one API message used, according to one transcript line. */
export interface UsageRecord {
  /** The same for all lines of one message, in all files. */
  key: string;
  at: number;
  model: string;
  branch: string | null;
  input: number;
  output: number;
  cacheRead: number;
  cacheWrite5m: number;
  cacheWrite1h: number;
  webSearches: number;
  isFast: boolean;
  isBatch: boolean;
  isUsOnly: boolean;
  isSidechain: boolean;
  /** Found in the transcript of the agent that started the subagent. */
  isCopy: boolean;
  /** The client says it copied the line from another session. Not all of its ways to fork do. */
  isForked: boolean;
}

/** Prefixes of the API's own ids. */
const API_ID = 'msg_';
/** The model name in lines the client generated itself: nothing was used. */
export const SYNTHETIC = '<synthetic>';

type Json = Record<string, unknown>;

export function parseLine(bytes: Buffer, start: number, end: number): Json | undefined {
  return parse(bytes.toString('utf8', start, end));
}

function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The usage in a line: mostly none or one; more when other models helped with the answer. `position`: where the line starts, which
 * identifies messages without an id.
 */
export function usageOf(line: Json, position: number): UsageRecord[] {
  // older clients wrote a subagent's messages into its parent's transcript too
  const said =
    line.type === 'progress' && isRecord(line.data) && isRecord(line.data.message) ? line.data.message : line;
  const { message } = said;
  if (said.type !== 'assistant' || !isRecord(message) || !isRecord(message.usage)) return [];
  const at = typeof said.timestamp === 'string' ? Date.parse(said.timestamp) : Number.NaN;
  const { id, model, usage } = message;
  if (Number.isNaN(at) || typeof model !== 'string' || model === SYNTHETIC || model === '') return [];
  const key = keyOf({ id, requestId: said.requestId, sessionId: line.sessionId, position });
  const place = {
    at,
    branch: typeof line.gitBranch === 'string' && line.gitBranch !== '' ? line.gitBranch : null,
    isSidechain: said.isSidechain === true,
    isCopy: said !== line,
    isForked: isRecord(line.forkedFrom),
  };
  const records = [toRecord(key, model, place, usage)];
  const steps = Array.isArray(usage.iterations) ? usage.iterations : [];
  let helpers = 0;
  for (const step of steps) {
    if (!isRecord(step) || step.type !== 'advisor_message' || !isName(step.model)) continue;
    records.push(toRecord(`${key}:advisor:${helpers++}`, step.model, place, step));
  }
  return records;
}

/** The API's own ids are unique everywhere, whatever request id a replayed line has. Those of other services may repeat. */
function keyOf(of: { id: unknown; requestId: unknown; sessionId: unknown; position: number }): string {
  if (!isName(of.id)) return `@${of.sessionId}:${of.position}`;
  return of.id.startsWith(API_ID) ? of.id : `${of.id}:${of.requestId ?? of.sessionId}`;
}

function toRecord(
  key: string,
  model: string,
  {
    at,
    branch,
    isSidechain,
    isCopy,
    isForked,
  }: Pick<UsageRecord, 'at' | 'branch' | 'isSidechain' | 'isCopy' | 'isForked'>,
  usage: Json,
): UsageRecord {
  const created = isRecord(usage.cache_creation) ? usage.cache_creation : undefined;
  const hour = count(created?.ephemeral_1h_input_tokens);
  const split = hour + count(created?.ephemeral_5m_input_tokens);
  const written = split > 0 ? split : count(usage.cache_creation_input_tokens);
  return {
    key,
    at,
    model,
    branch,
    input: count(usage.input_tokens),
    output: count(usage.output_tokens),
    cacheRead: count(usage.cache_read_input_tokens),
    cacheWrite5m: written - hour,
    cacheWrite1h: hour,
    webSearches: isRecord(usage.server_tool_use) ? count(usage.server_tool_use.web_search_requests) : 0,
    isFast: usage.speed === 'fast',
    isBatch: usage.service_tier === 'batch',
    isUsOnly: usage.inference_geo === 'us',
    isSidechain,
    isCopy,
    isForked,
  };
}

/** Which of two copies of a message counts: the one streamed further, else the one in its own transcript, else the first. */
export function isBetterSighting(one: UsageRecord, other: UsageRecord): boolean {
  const difference = totalOf(one) - totalOf(other);
  if (difference !== 0) return difference > 0;
  if (one.isCopy !== other.isCopy) return other.isCopy;
  if (one.isForked !== other.isForked) return other.isForked;
  if (one.isSidechain !== other.isSidechain) return other.isSidechain;
  return one.at < other.at;
}

function totalOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: UsageRecord): number {
  return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
