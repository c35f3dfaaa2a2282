import type {
  Tool as ApiTool,
  CacheControlEphemeral,
  ContentBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  ThinkingConfigParam,
} from '@anthropic-ai/sdk/resources/messages';
import { z } from 'zod';
import type { Tool } from '../tools/tool.ts';

export interface ModelSettings {
  model: string;
  maxTokens: number;
  thinking?: ThinkingConfigParam;
  /** How long the API keeps the prefix. Approvals often take longer than the default of five minutes. */
  cacheTtl?: '5m' | '1h';
}

export interface RequestParts extends ModelSettings {
  system: string;
  tools: readonly ApiTool[];
  messages: MessageParam[];
}

/**
 * Builds one request. The system prompt and tools never change within a session and messages are resent unchanged, so everything up to the
 * last message is a cache hit and thinking stays valid.
 */
export function buildRequest(parts: RequestParts): MessageCreateParamsStreaming {
  const { model, maxTokens, thinking, cacheTtl = '1h', system, tools, messages } = parts;
  const mark: CacheControlEphemeral = { type: 'ephemeral', ttl: cacheTtl };
  return {
    model,
    max_tokens: maxTokens,
    stream: true,
    system: [{ type: 'text', text: system, cache_control: mark }],
    tools: [...tools],
    messages: markForCache(messages, mark),
    ...(thinking ? { thinking } : {}),
  };
}

/**
 * Marks the last user message and the one that the previous request marked. Without the second mark, a reply with many parallel calls
 * misses the cache: the API looks back only 20 blocks from a mark.
 */
function markForCache(messages: MessageParam[], mark: CacheControlEphemeral): MessageParam[] {
  const places = messages.flatMap(({ role }, at) => (role === 'user' ? [at] : [])).slice(-2);
  return messages.map((message, at) => (places.includes(at) ? withMark(message, mark) : message));
}

function withMark(message: MessageParam, mark: CacheControlEphemeral): MessageParam {
  if (message.role !== 'user') return message;
  const blocks: ContentBlockParam[] =
    typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : [...message.content];
  const last = blocks.at(-1);
  if (last?.type !== 'text' && last?.type !== 'tool_result' && last?.type !== 'image') return message;
  blocks[blocks.length - 1] = { ...last, cache_control: mark };
  return { role: 'user', content: blocks };
}

export function toApiTool(tool: Tool): ApiTool {
  const schema = tool.jsonSchema ?? z.toJSONSchema(tool.input, { io: 'input' });
  const { $schema: _, ...input } = schema as Record<string, unknown>;
  return { name: tool.name, description: tool.description, input_schema: { ...input, type: 'object' } };
}
