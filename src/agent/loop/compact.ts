import type { ContentBlockParam, MessageParam, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { capText } from '../tools/cap-text.ts';
import type { PromptBlock } from './conversation.ts';

/** How full the context may get before it is summarized. Leaves room for one more reply and its results. */
export const COMPACT_AT = 0.8;

/** Requests between two automatic compactions. */
export const COMPACT_REST = 5;

const SUMMARIZE = `The context window is almost full. Write a summary that replaces the conversation so far. Another agent will continue
from it without seeing anything else, so include: what the operator asked for, in their words; decisions and their reasons; files read
and changed, with the parts that matter; commands run and what they showed; background shells that still run, with their ids; errors and
how they were fixed; what remains to be done, and the exact next step. Answer with the summary only. Do not call tools.`;

/** The conversation with a summary request appended, so everything before it is a cache hit. */
export function askForSummary(messages: MessageParam[]): MessageParam[] {
  const request: PromptBlock = { type: 'text', text: SUMMARIZE };
  const last = messages.at(-1);
  if (last?.role !== 'user') return [...messages, { role: 'user', content: [request] }];
  const before: PromptBlock[] | typeof last.content =
    typeof last.content === 'string' ? [{ type: 'text', text: last.content }] : last.content;
  return [...messages.slice(0, -1), { role: 'user', content: [...before, request] }];
}

/** How much of each text is sent for a summary: all of it, then less and less where the request itself does not fit. */
export const SUMMARY_CUTS = [Number.POSITIVE_INFINITY, 8000, 1000, 100];

/**
 * The conversation with long texts cut, and without images and thinking, for a summary of what no longer fits. Never for a request that the
 * conversation continues from.
 */
export function shortenMessages(messages: MessageParam[], most: number): MessageParam[] {
  if (most === Number.POSITIVE_INFINITY) return messages;
  return messages.map((message) => ({ ...message, content: shortenContent(message.content, most) }) as MessageParam);
}

function shortenContent(content: MessageParam['content'], most: number): string | ContentBlockParam[] {
  if (typeof content === 'string') return capText(content, most);
  const blocks = content.flatMap((block) => shorten(block, most));
  return blocks.length > 0 ? blocks : '[thinking]';
}

function shorten(block: ContentBlockParam, most: number): ContentBlockParam[] {
  switch (block.type) {
    case 'thinking':
    case 'redacted_thinking':
      return [];
    case 'text':
      return [{ type: 'text', text: capText(block.text, most) }];
    case 'image':
      return [{ type: 'text', text: '[image]' }];
    case 'tool_use':
      return [{ ...block, input: shortenInput(block.input, most) }];
    case 'tool_result':
      return [{ ...block, content: capText(resultText(block.content), most) }];
    default:
      return [block];
  }
}

function shortenInput(input: unknown, most: number): unknown {
  const json = JSON.stringify(input);
  return json.length > most ? { cut: capText(json, most) } : input;
}

function resultText(content: ToolResultBlockParam['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? '';
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

/** The new start of the conversation. */
export function afterCompaction(opening: PromptBlock[], summary: string): PromptBlock[] {
  const text = `This session continues one that ran out of context. Summary of it:\n\n${summary}\n\nContinue with the next step.`;
  return [...opening, { type: 'text', text }];
}
