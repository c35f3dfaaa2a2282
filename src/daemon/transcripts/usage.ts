/** What one API message used, as one line of a transcript tells it. */
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
}

const USAGE = Buffer.from('"usage"');
const FROM_USER = Buffer.from('"type":"user"');
const OPEN_OBJECT = 0x7b;
const HEAD = 400;
/** How the API's own ids begin. */
const API_ID = 'msg_';
/** The model's name for lines that the client made up itself: nothing was used. */
const SYNTHETIC = '<synthetic>';

/** Between what a message says and its usage stand a few short fields. */
const MAX_GAP = 400;
const CONTENT = Buffer.from('"content":[');
const CLOSE_ARRAY = 0x5d;

type Json = Record<string, unknown>;

/** The usage in a line: mostly none or one; more when other models helped with the answer. */
export function readUsage(bytes: Buffer, start: number, end: number, position: number): UsageRecord[] {
  if (isFromUser(bytes, start, end)) return [];
  const bytesOfLine = bytes.subarray(start, end);
  // in a string it would be escaped, so a line without it has no such key; it is mostly near the end
  const mark = bytesOfLine.lastIndexOf(USAGE);
  if (mark === -1) return [];
  const line = parseWithoutContent(bytesOfLine, mark) ?? parseLine(bytes, start, end);
  return line ? usageOf(line, position) : [];
}

/**
 * The line without what the message says, which is most of it: believed to be all between the first `"content":[` and the last
 * `]` before the usage. What is left must be a whole message of the API with all that belongs to it. Undefined: it is not, and
 * the line must be parsed as it is.
 */
function parseWithoutContent(line: Buffer, mark: number): Json | undefined {
  const content = line.indexOf(CONTENT);
  const closed = line.lastIndexOf(CLOSE_ARRAY, mark);
  if (content === -1 || closed < content || mark - closed > MAX_GAP) return undefined;
  const rest = parse(line.toString('utf8', 0, content + CONTENT.length) + line.toString('utf8', closed));
  return rest && isApiMessage(rest) ? rest : undefined;
}

function isApiMessage({ type, timestamp, message }: Json): boolean {
  if (type !== 'assistant' || !isName(timestamp) || !isObject(message) || !isObject(message.usage)) return false;
  if (message.role !== 'assistant' || !('stop_reason' in message) || !isName(message.model)) return false;
  return isName(message.id) && message.id.startsWith(API_ID);
}

/** Tool outputs are most of a transcript. Its type stands first, before any nested object, so it is the line's own. */
function isFromUser(bytes: Buffer, start: number, end: number): boolean {
  const head = bytes.subarray(start, Math.min(end, start + HEAD));
  const type = head.indexOf(FROM_USER);
  if (type === -1) return false;
  const nested = head.indexOf(OPEN_OBJECT, 1);
  return nested === -1 || nested > type;
}

export function parseLine(bytes: Buffer, start: number, end: number): Json | undefined {
  return parse(bytes.toString('utf8', start, end));
}

function parse(text: string): Json | undefined {
  try {
    const value = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `position`: where the line begins, which tells apart messages without an id. */
export function usageOf(line: Json, position: number): UsageRecord[] {
  // older clients wrote what a subagent said into its parent's transcript too
  const said =
    line.type === 'progress' && isObject(line.data) && isObject(line.data.message) ? line.data.message : line;
  const { message } = said;
  if (said.type !== 'assistant' || !isObject(message) || !isObject(message.usage)) return [];
  const at = parseTime(said.timestamp);
  const { id, model, usage } = message;
  if (Number.isNaN(at) || typeof model !== 'string' || model === SYNTHETIC || model === '') return [];
  const key = keyOf({ id, requestId: said.requestId, sessionId: line.sessionId, position });
  const place = {
    at,
    branch: typeof line.gitBranch === 'string' && line.gitBranch !== '' ? line.gitBranch : null,
    isSidechain: said.isSidechain === true,
  };
  const records = [toRecord(key, model, place, usage)];
  const steps = Array.isArray(usage.iterations) ? usage.iterations : [];
  let helpers = 0;
  for (const step of steps) {
    if (!isObject(step) || step.type !== 'advisor_message' || !isName(step.model)) continue;
    records.push(toRecord(`${key}:advisor:${helpers++}`, step.model, place, step));
  }
  return records;
}

/**
 * The API's own ids are unique wherever they turn up, under whatever request id a replayed line bears. Those of other
 * services may come again.
 */
function keyOf(of: { id: unknown; requestId: unknown; sessionId: unknown; position: number }): string {
  if (!isName(of.id)) return `@${of.sessionId}:${of.position}`;
  return of.id.startsWith(API_ID) ? of.id : `${of.id}:${of.requestId ?? of.sessionId}`;
}

function toRecord(
  key: string,
  model: string,
  { at, branch, isSidechain }: { at: number; branch: string | null; isSidechain: boolean },
  usage: Json,
): UsageRecord {
  const created = isObject(usage.cache_creation) ? usage.cache_creation : undefined;
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
    webSearches: isObject(usage.server_tool_use) ? count(usage.server_tool_use.web_search_requests) : 0,
    isFast: usage.speed === 'fast',
    isBatch: usage.service_tier === 'batch',
    isUsOnly: usage.inference_geo === 'us',
    isSidechain,
  };
}

/** Which of two sightings of one message is told: the one that was streamed further, else the first. */
export function isBetterSighting(one: UsageRecord, other: UsageRecord): boolean {
  const difference = totalOf(one) - totalOf(other);
  if (difference !== 0) return difference > 0;
  if (one.isSidechain !== other.isSidechain) return other.isSidechain;
  return one.at < other.at;
}

function totalOf({ input, output, cacheRead, cacheWrite5m, cacheWrite1h }: UsageRecord): number {
  return input + output + cacheRead + cacheWrite5m + cacheWrite1h;
}

/** `2026-11-16T01:02:03.456Z` as clients write it is read digit by digit: there is one in every line. */
function parseTime(value: unknown): number {
  if (typeof value !== 'string') return Number.NaN;
  if (value.length !== 24 || value[23] !== 'Z') return Date.parse(value);
  const at = (from: number, to: number) => {
    let number = 0;
    for (let place = from; place < to; place++) {
      const digit = value.charCodeAt(place) - 48;
      if (digit < 0 || digit > 9) return Number.NaN;
      number = number * 10 + digit;
    }
    return number;
  };
  return Date.UTC(at(0, 4), at(5, 7) - 1, at(8, 10), at(11, 13), at(14, 16), at(17, 19), at(20, 23));
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : 0;
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
