import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MessagesRequest } from './conversation.ts';
import type { Block, MessageStep, Step, Usage } from './scripted-answer.ts';

type AnswerStep = Exclude<Step, { kind: 'api-error' } | { kind: 'live' }>;
type Send = (type: string, data: object) => void;

const PING_EVERY_MS = 1000;
const DELTA_CHARS = 40;

export async function sendAnswer(response: ServerResponse, request: MessagesRequest, step: AnswerStep): Promise<void> {
  const id = nextMessageId();
  if (request.stream) return sendStream(response, request, step, id);
  if (step.kind === 'think-forever') return void (await once(response, 'close'));
  const content = step.blocks.map((block, index) =>
    block.type === 'tool_use' ? { ...block, id: toolUseId(id, index) } : block,
  );
  const body = {
    ...envelope(id, request),
    content,
    stop_reason: stopReason(step),
    stop_sequence: null,
    usage: fullUsage(step),
  };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

/** Server-sent events in the order and shape of the real Messages API. */
async function sendStream(
  response: ServerResponse,
  request: MessagesRequest,
  step: AnswerStep,
  id: string,
): Promise<void> {
  const send: Send = (type, data) => {
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  const usage = fullUsage(step);
  send('message_start', {
    message: {
      ...envelope(id, request),
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });
  if (step.kind === 'think-forever') return pingUntilGone(response, send);

  for (const [index, block] of step.blocks.entries()) {
    const { start, deltas } = streamed(block, toolUseId(id, index));
    send('content_block_start', { index, content_block: start });
    if (index === 0) send('ping', {});
    for (const delta of deltas) send('content_block_delta', { index, delta });
    send('content_block_stop', { index });
  }
  send('message_delta', { delta: { stop_reason: stopReason(step), stop_sequence: null }, usage });
  send('message_stop', {});
  response.end();
}

async function pingUntilGone(response: ServerResponse, send: Send): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  send('content_block_start', { index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } });
  send('content_block_delta', { index: 0, delta: { type: 'thinking_delta', thinking: 'Let me think about this.' } });
  while (!gone.signal.aborted) {
    send('ping', {});
    await sleep(PING_EVERY_MS, undefined, { signal: gone.signal }).catch((error: Error) => {
      if (error.name !== 'AbortError') throw error;
    });
  }
}

function streamed(block: Block, id: string): { start: object; deltas: object[] } {
  if (block.type === 'text') {
    return {
      start: { type: 'text', text: '' },
      deltas: pieces(block.text).map((text) => ({ type: 'text_delta', text })),
    };
  }
  return {
    start: { type: 'tool_use', id, name: block.name, input: {} },
    deltas: ['', ...pieces(JSON.stringify(block.input))].map((partial_json) => ({
      type: 'input_json_delta',
      partial_json,
    })),
  };
}

function pieces(text: string): string[] {
  const count = Math.ceil(text.length / DELTA_CHARS);
  return Array.from({ length: count }, (_, at) => text.slice(at * DELTA_CHARS, (at + 1) * DELTA_CHARS));
}

function envelope(id: string, { model }: MessagesRequest) {
  return { id, type: 'message', role: 'assistant', model };
}

function stopReason({ blocks }: MessageStep): string {
  return blocks.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
}

function fullUsage(step: AnswerStep): Usage {
  const usage = {
    input_tokens: 100,
    output_tokens: 20,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...(step.kind === 'message' ? step.usage : {}),
  };
  const fiveMinutes = { ephemeral_5m_input_tokens: usage.cache_creation_input_tokens, ephemeral_1h_input_tokens: 0 };
  return { cache_creation: fiveMinutes, ...usage };
}

// Unique across the servers of one process: the client counts a repeated message id only once.
let messages = 0;
function nextMessageId(): string {
  messages += 1;
  return `msg_scripted_${process.pid}_${messages}`;
}

function toolUseId(messageId: string, index: number): string {
  return `${messageId.replace('msg_', 'toolu_')}_${index}`;
}
