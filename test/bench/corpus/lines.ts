import type { Random } from '../../kit/random.ts';

/** Who writes: what stands in every line of a transcript. */
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

/** A stretch of text whose length is mostly near `median`, and sometimes many times that. */
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

export function toolResult(writer: Writer, id: string, content: string, toolUseResult: unknown): string {
  const result = { tool_use_id: id, type: 'tool_result', content };
  return line(writer, { type: 'user', message: { role: 'user', content: [result] } }, { toolUseResult });
}

export function assistant(
  writer: Writer,
  message: { id: string; requestId: string; model: string; block: unknown; stop: string | null; usage: Spending },
): string {
  const { id, requestId, model, block, stop, usage } = message;
  return line(
    writer,
    {
      message: {
        model,
        id,
        type: 'message',
        role: 'assistant',
        content: [block],
        stop_reason: stop,
        stop_sequence: null,
        usage,
      },
      requestId,
    },
    { type: 'assistant' },
  );
}

function line(writer: Writer, first: object, last: object): string {
  const { random, parentUuid, agentId, sessionId, cwd, branch, version, now } = writer;
  const uuid = random.uuid();
  writer.parentUuid = uuid;
  return JSON.stringify({
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
  });
}

function gauss(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}
