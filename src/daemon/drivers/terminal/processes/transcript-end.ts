import { open } from 'node:fs/promises';

const TAIL_BYTES = 256 * 1024;
const INTERRUPTED = '[Request interrupted by user';

export interface TranscriptEnd {
  /** How the last turn ended, if it shows: normally, with Esc, or not at all. */
  turn: 'ended' | 'interrupted' | 'unknown';
  /** Calls whose result is in it. */
  endedCalls: ReadonlySet<string>;
}

interface Line {
  type?: unknown;
  subtype?: unknown;
  isSidechain?: unknown;
  message?: { content?: unknown; stop_reason?: unknown };
}

/** What the end of a session's transcript says about the time when no hook reached us. */
export async function readTranscriptEnd(path: string | null): Promise<TranscriptEnd> {
  const lines = path === null ? [] : (await readTail(path)).map(parse).filter((line) => line !== undefined);
  const endedCalls = new Set(lines.flatMap(({ message }) => resultsIn(message?.content)));
  return { turn: turnOf(lines.filter(({ isSidechain }) => isSidechain !== true)), endedCalls };
}

/** Empty if there is nothing to read. The first line is probably cut off. */
async function readTail(path: string): Promise<string[]> {
  const file = await open(path, 'r').catch(() => undefined);
  if (!file) return [];
  try {
    const { size } = await file.stat();
    const start = Math.max(0, size - TAIL_BYTES);
    const bytes = Buffer.alloc(size - start);
    await file.read(bytes, 0, bytes.length, start);
    const lines = bytes.toString('utf8').split('\n');
    return start > 0 ? lines.slice(1) : lines;
  } finally {
    await file.close();
  }
}

function parse(text: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Line) : undefined;
  } catch (error) {
    // The last line may be half written.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function turnOf(lines: Line[]): TranscriptEnd['turn'] {
  for (const { type, subtype, message } of lines.toReversed()) {
    if (type === 'system' && (subtype === 'turn_duration' || subtype === 'stop_hook_summary')) return 'ended';
    if (type === 'assistant') return message?.stop_reason === 'end_turn' || isOnlyText(message) ? 'ended' : 'unknown';
    if (type === 'user') return textOf(message?.content).startsWith(INTERRUPTED) ? 'interrupted' : 'unknown';
  }
  return 'unknown';
}

const isOnlyText = (message: Line['message']) => partsOf(message?.content).every(({ type }) => type === 'text');

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  const text = partsOf(content).find(({ type }) => type === 'text')?.text;
  return typeof text === 'string' ? text : '';
}

function resultsIn(content: unknown): string[] {
  return partsOf(content).flatMap(({ type, tool_use_id: id }) =>
    type === 'tool_result' && typeof id === 'string' ? [id] : [],
  );
}

function partsOf(content: unknown): Record<string, unknown>[] {
  return Array.isArray(content) ? content.filter((part) => typeof part === 'object' && part !== null) : [];
}
