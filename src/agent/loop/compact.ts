import type { MessageParam } from '@anthropic-ai/sdk/resources/messages';
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

/** The new start of the conversation. */
export function afterCompaction(opening: PromptBlock[], summary: string): PromptBlock[] {
  const text = `This session continues one that ran out of context. Summary of it:\n\n${summary}\n\nContinue with the next step.`;
  return [...opening, { type: 'text', text }];
}
