import type { ContentBlockParam, RawMessageStreamEvent, ToolUseBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { isRecord } from '../../contract/values.ts';
import { StreamCut } from './retry.ts';
import { addUsage, type RequestUsage, startUsage } from './usage.ts';

/** A call from the model. If `problem` is set, the call must not run and the model is told why. */
export interface ModelCall {
  id: string;
  name: string;
  input: Record<string, unknown>;
  problem?: string;
}

export interface Reply {
  id: string;
  model: string;
  stopReason: string | null;
  /** The reason for a refusal. */
  stopDetails: string | undefined;
  usage: RequestUsage;
  /** Set if the stream broke off. `stopReason` is null in that case. */
  cut?: unknown;
  /** The text of the block that was open when the stream broke off. */
  unfinishedText: string;
}

export interface ReplyHandlers {
  onText(reply: string, text: string): void;
  onThinking(reply: string, text: string): void;
  /** A finished block. */
  onBlock(reply: string, block: ContentBlockParam): void;
  /** A call that is complete, or never will be. The reader does not wait for it. */
  onCall(call: ModelCall): void;
  /** Safe to start before we know that the reply wasn't cut off. */
  startsAtOnce(name: string): boolean;
  uniqueId(id: string): string;
}

/** These stop reasons close the last block even if it isn't finished. */
const TRUNCATED: Record<string, string> = {
  max_tokens: 'the reply reached its output limit (max_tokens). Send a shorter call, or split it',
  model_context_window_exceeded: 'the context window is full',
};

interface OpenBlock {
  block: ContentBlockParam;
  json: string;
}

/**
 * Reads one streamed reply to its end and reports calls along the way. `content_block_stop` alone doesn't prove that a call is complete.
 * Reads start there; everything else starts when the next block begins or the stop reason rules out truncation.
 */
export async function readReply(stream: AsyncIterable<RawMessageStreamEvent>, handlers: ReplyHandlers): Promise<Reply> {
  const reply: Reply = {
    id: '',
    model: '',
    stopReason: null,
    stopDetails: undefined,
    usage: startUsage(),
    unfinishedText: '',
  };
  let open: OpenBlock | null = null;
  let unconfirmed: ModelCall | null = null;

  const confirm = (problem?: string) => {
    if (unconfirmed) handlers.onCall(problem === undefined ? unconfirmed : { ...unconfirmed, problem });
    unconfirmed = null;
  };
  const close = ({ block, json }: OpenBlock) => {
    if (block.type !== 'tool_use') return handlers.onBlock(reply.id, block);
    const call = parseCall(block, json);
    handlers.onBlock(reply.id, { ...block, input: call.input });
    if (call.problem === undefined && handlers.startsAtOnce(call.name)) handlers.onCall(call);
    else unconfirmed = call;
  };

  try {
    for await (const event of stream) {
      switch (event.type) {
        case 'message_start':
          Object.assign(reply, { id: event.message.id, model: event.message.model });
          addUsage(reply.usage, event.message.usage);
          break;
        case 'content_block_start':
          confirm();
          open = { block: startBlock(event.content_block, handlers), json: '' };
          break;
        case 'content_block_delta':
          if (open) applyDelta(open, event.delta, handlers, reply.id);
          break;
        case 'content_block_stop':
          if (open) close(open);
          open = null;
          break;
        case 'message_delta':
          reply.stopReason = event.delta.stop_reason;
          reply.stopDetails = event.delta.stop_details?.explanation ?? undefined;
          addUsage(reply.usage, event.usage);
          break;
      }
    }
  } catch (error) {
    reply.cut = error;
  }
  // Some proxies omit `message_stop`. Without a stop reason the reply was cut off, even if the connection closed cleanly.
  if (reply.stopReason === null) {
    reply.cut ??= new StreamCut('The reply broke off');
    if (open?.block.type === 'text') reply.unfinishedText = open.block.text;
    return reply;
  }
  // the reply is complete, whatever happened to the connection afterwards
  delete reply.cut;
  const truncated = TRUNCATED[reply.stopReason];
  if (truncated !== undefined) confirm(`Not run: ${truncated}.`);
  else if (reply.stopReason !== 'refusal') confirm();
  return reply;
}

function startBlock(started: { type: string }, { uniqueId }: ReplyHandlers): ContentBlockParam {
  const block = { ...started } as ContentBlockParam;
  return block.type === 'tool_use' ? { type: 'tool_use', id: uniqueId(block.id), name: block.name, input: {} } : block;
}

function applyDelta(open: OpenBlock, delta: { type: string }, handlers: ReplyHandlers, reply: string): void {
  const { block } = open;
  const change = delta as { type: string; text?: string; thinking?: string; signature?: string; partial_json?: string };
  if (block.type === 'text' && change.text !== undefined) {
    block.text += change.text;
    handlers.onText(reply, change.text);
  } else if (block.type === 'thinking' && change.thinking !== undefined) {
    block.thinking += change.thinking;
    handlers.onThinking(reply, change.thinking);
  } else if (block.type === 'thinking' && change.signature !== undefined) {
    block.signature += change.signature;
  } else if (change.partial_json !== undefined) {
    open.json += change.partial_json;
  }
}

/** Strict: a lenient parser turns a truncated call into a shorter one that looks valid. */
function parseCall({ id, name }: ToolUseBlockParam, json: string): ModelCall {
  try {
    const input: unknown = json.trim() === '' ? {} : JSON.parse(json);
    if (isRecord(input)) return { id, name, input };
    return { id, name, input: {}, problem: 'Not run: the input is not a JSON object.' };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { id, name, input: {}, problem: `Not run: the input is not valid JSON (${error.message}).` };
  }
}
