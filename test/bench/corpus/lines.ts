import type { Random } from '../../kit/random.ts';
import type { KeyOrder, Style } from './style.ts';

/** The writer: fields that every line of a transcript has. */
export interface Writer {
  sessionId: string;
  agentId: string | undefined;
  cwd: string;
  branch: string;
  version: string;
  /** Text to cut pieces from. */
  text: string;
  random: Random;
  now: number;
  parentUuid: string | null;
  style: Style;
  keyOrder: KeyOrder;
}

export interface Spending {
  input_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  output_tokens: number;
  cache_creation?: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number };
  service_tier: string;
  speed?: string;
}

/** Text whose length is usually near `median`, and sometimes many times that. */
export function someText({ text, random }: Writer, median: number, most = 60_000): string {
  const length = Math.min(most, Math.max(8, Math.round(median * Math.exp(gauss(random) * 1.1))));
  const from = random.integer(0, text.length - length - 1);
  return text.slice(from, from + length);
}

export function pass(writer: Writer, ms: number): void {
  writer.now += Math.max(1, Math.round(ms));
}

export function userPrompt(writer: Writer, text: string): string {
  return line(writer, { type: 'user', message: { role: 'user', content: text } }, { permissionMode: 'default' });
}

export function toolResult(writer: Writer, id: string, content: unknown, toolUseResult: unknown): string {
  const result = { tool_use_id: id, type: 'tool_result', content };
  return line(writer, { type: 'user', message: { role: 'user', content: [result] } }, { toolUseResult });
}

export function assistant(
  writer: Writer,
  message: { id: string; requestId: string; model: string; block: unknown; stop: string | null; usage: Spending },
): string {
  const { id, requestId, model, block, stop, usage } = message;
  const said = { model, id, type: 'message', role: 'assistant' };
  const ending = { stop_reason: stop, stop_sequence: null, usage };
  const content = { content: [block] };
  return line(
    writer,
    {
      message:
        writer.keyOrder === 'contentLast' ? { ...said, ...ending, ...content } : { ...said, ...content, ...ending },
      requestId,
    },
    { type: 'assistant' },
  );
}

export function image({ random, text }: Writer): unknown {
  const length = random.integer(40_000, 400_000);
  const from = random.integer(0, Math.max(0, text.length - length));
  const data = Buffer.from(text.slice(from, from + length), 'latin1').toString('base64');
  return { type: 'image', source: { type: 'base64', media_type: 'image/png', data } };
}

/** A long session that the client compacted and continues from the summary. */
export function* compact(writer: Writer): Generator<string> {
  const boundary = { type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', level: 'info' };
  yield line(writer, boundary, { compactMetadata: { trigger: 'auto', preTokens: 155_000 } });
  const summary = `This session is being continued from a previous conversation. ${someText(writer, 9000, 20_000)}`;
  const message = { role: 'user', content: summary };
  yield line(writer, { type: 'user', message }, { isVisibleInTranscriptOnly: true, isCompactSummary: true });
}

/** Notes that the client writes for itself. */
export function note(writer: Writer): string {
  const { random, sessionId, now } = writer;
  const timestamp = new Date(now).toISOString();
  const kind = random.integer(0, 4);
  if (kind === 0) {
    const snapshot = { messageId: random.uuid(), trackedFileBackups: {}, timestamp };
    return JSON.stringify({ type: 'file-history-snapshot', messageId: snapshot.messageId, snapshot });
  }
  if (kind === 1)
    return JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp, sessionId, content: 'go on' });
  if (kind === 2) {
    const data = { type: 'hook_progress', hookEvent: 'PostToolUse', hookName: 'PostToolUse:Bash', command: 'callback' };
    return line(writer, { type: 'progress', data }, { toolUseID: random.uuid(), parentToolUseID: random.uuid() });
  }
  if (kind === 3) {
    const file = { filePath: `${writer.cwd}/notes.md`, content: someText(writer, 2000), numLines: 90 };
    const attachment = { type: 'file', filename: file.filePath, content: { type: 'text', file } };
    return line(writer, { type: 'attachment', attachment }, {});
  }
  const ended = { type: 'system', subtype: 'turn_duration', durationMs: random.integer(900, 90_000) };
  return line(writer, ended, { isMeta: false });
}

function line(writer: Writer, first: object, last: object): string {
  const { random, parentUuid, agentId, sessionId, cwd, branch, version, now, keyOrder } = writer;
  const uuid = random.uuid();
  writer.parentUuid = uuid;
  const whole = {
    parentUuid,
    isSidechain: agentId !== undefined,
    ...(agentId ? { agentId } : {}),
    ...first,
    uuid,
    timestamp: new Date(now).toISOString(),
    ...last,
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version,
    gitBranch: branch,
  };
  if (keyOrder === 'sorted') return JSON.stringify(sorted(whole));
  return keyOrder === 'spaced' ? spaced(whole) : JSON.stringify(whole);
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}

/** JSON as other languages write it: `{"a": 1, "b": 2}`. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`).join(', ')}}`;
}

function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
