import type { MessagesRequest } from './conversation.ts';
import type { ManualAnswer } from './manual-answer.ts';

/** The parts of a scripted model reply, and the small vocabulary for writing scenarios. */

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
  cache_creation?: { ephemeral_5m_input_tokens: number; ephemeral_1h_input_tokens: number };
  server_tool_use?: { web_search_requests: number };
}

export type Block = { type: 'text'; text: string } | { type: 'tool_use'; name: string; input: Record<string, unknown> };

export interface MessageStep {
  kind: 'message';
  blocks: Block[];
  usage: Partial<Usage>;
}

export type Step =
  | MessageStep
  | { kind: 'think-forever' }
  | { kind: 'live'; play: (answer: ManualAnswer, request: MessagesRequest) => void | Promise<void> }
  | { kind: 'api-error'; status: number; type: string; message: string; retry?: Record<string, string> };

interface MessageOptions {
  /** Numbers to check a cost against. Missing ones get a small default. */
  usage?: Partial<Usage>;
}

export function say(text: string, { usage = {} }: MessageOptions = {}): MessageStep {
  return { kind: 'message', blocks: [{ type: 'text', text }], usage };
}

export function callTool(
  name: string,
  input: Record<string, unknown> = {},
  { usage = {} }: MessageOptions = {},
): MessageStep {
  return { kind: 'message', blocks: [{ type: 'tool_use', name, input }], usage };
}

/** In plan mode the client tells the model which file to write its plan to. */
export function writePlan(content: string) {
  return (request: MessagesRequest) => {
    const [path] = /\/[^\s"`\\]+\/plans\/[^\s"`\\]+\.md/.exec(JSON.stringify(request)) ?? [];
    if (!path) throw new Error('the client named no plan file');
    return callTool('Write', { file_path: path, content });
  };
}

/** Several tool calls (and text around them) in one assistant message, as the model does for parallel work. */
export function together(...steps: MessageStep[]): MessageStep {
  return {
    kind: 'message',
    blocks: steps.flatMap(({ blocks }) => blocks),
    usage: Object.assign({}, ...steps.map(({ usage }) => usage)),
  };
}

/** Opens the stream, starts thinking and then only pings until the client hangs up. For testing Esc. */
export function thinkForever(): Step {
  return { kind: 'think-forever' };
}

/** A reply that the test plays event by event. */
export function live(play: (answer: ManualAnswer, request: MessagesRequest) => void | Promise<void>): Step {
  return { kind: 'live', play };
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

export function apiError(status: number, message = `scripted error ${status}`): Step {
  return { kind: 'api-error', status, type: ERROR_TYPES[status] ?? 'api_error', message };
}

/** An error that the client may retry after, with the headers that say when. */
export function passingError(status: number, headers: Record<string, string> = {}): Step {
  return { kind: 'api-error', status, type: ERROR_TYPES[status] ?? 'api_error', message: 'scripted', retry: headers };
}
