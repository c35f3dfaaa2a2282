import type { ServerResponse } from 'node:http';
import type { MessagesRequest } from './conversation.ts';
import type { Usage } from './scripted-answer.ts';
import { signThinking } from './validate-conversation.ts';

/** One streamed reply that a test plays by hand: it can wait between events, drop the connection or report an error. */
export interface ManualAnswer {
  text(text: string): void;
  thinking(text: string): void;
  redacted(data: string): void;
  /** Returns the id of the call. `json` sends these bytes instead of the input. */
  call(name: string, input: object, options?: { json?: string; id?: string }): string;
  /** Opens a text block and leaves it open. */
  openText(text: string): void;
  /** Adds to the open text block. */
  more(text: string): void;
  /** Opens a call and sends only the start of its input. */
  openCall(name: string, json: string): string;
  ping(): void;
  /** Ends the reply as the real API does. Default reason: `tool_use` if there were calls. */
  end(options?: { reason?: string; details?: object; usage?: Partial<Usage> }): void;
  /** Sends the stop reason and ends the connection without `message_stop`. */
  endWithoutStop(reason: string): void;
  /** Ends the response early but cleanly. */
  close(): void;
  /** Resets the connection. */
  reset(): void;
  /** An error after the headers, as an overloaded API sends it. */
  error(type: string, message?: string): void;
}

let answers = 0;

export function openManualAnswer(response: ServerResponse, request: MessagesRequest): ManualAnswer {
  answers += 1;
  const id = `msg_live_${process.pid}_${answers}`;
  let index = -1;
  let calls = 0;
  let isOpen = false;
  const send = (type: string, data: object) => {
    if (!response.destroyed) response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  };
  const start = (content_block: object) => {
    if (isOpen) send('content_block_stop', { index });
    index += 1;
    isOpen = true;
    send('content_block_start', { index, content_block });
  };
  const delta = (value: object) => send('content_block_delta', { index, delta: value });
  const stop = () => {
    send('content_block_stop', { index });
    isOpen = false;
  };
  const usage = { input_tokens: 100, output_tokens: 20, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  send('message_start', {
    message: {
      id,
      type: 'message',
      role: 'assistant',
      model: request.model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { ...usage, output_tokens: 1 },
    },
  });

  function openCall(name: string, json: string, given?: string): string {
    calls += 1;
    const callId = given ?? `toolu_${id}_${calls}`;
    start({ type: 'tool_use', id: callId, name, input: {} });
    for (let at = 0; at < json.length; at += 17)
      delta({ type: 'input_json_delta', partial_json: json.slice(at, at + 17) });
    return callId;
  }

  return {
    text(text) {
      start({ type: 'text', text: '' });
      delta({ type: 'text_delta', text });
      stop();
    },
    openText(text) {
      start({ type: 'text', text: '' });
      delta({ type: 'text_delta', text });
    },
    more: (text) => delta({ type: 'text_delta', text }),
    thinking(thinking) {
      start({ type: 'thinking', thinking: '', signature: '' });
      if (thinking !== '') delta({ type: 'thinking_delta', thinking });
      delta({ type: 'signature_delta', signature: `signed:${signThinking(request, request.messages, thinking)}` });
      stop();
    },
    redacted(data) {
      start({ type: 'redacted_thinking', data });
      stop();
    },
    call(name, input, { json = JSON.stringify(input), id: given } = {}) {
      const callId = openCall(name, json, given);
      stop();
      return callId;
    },
    openCall: (name, json) => openCall(name, json),
    ping: () => send('ping', {}),
    end({ reason = calls > 0 ? 'tool_use' : 'end_turn', details, usage: used = {} } = {}) {
      if (isOpen) stop();
      const delta = { stop_reason: reason, stop_sequence: null, ...(details ? { stop_details: details } : {}) };
      send('message_delta', { delta, usage: { ...usage, ...used } });
      send('message_stop', {});
      response.end();
    },
    endWithoutStop(reason) {
      send('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage });
      response.end();
    },
    close: () => void response.end(),
    reset: () => void response.socket?.resetAndDestroy(),
    error(type, message = 'scripted') {
      send('error', { error: { type, message } });
      response.end();
    },
  };
}
