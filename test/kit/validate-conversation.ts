import { createHash } from 'node:crypto';
import type { Message, MessagesRequest } from './conversation.ts';

type Block = { type: string; [key: string]: unknown };

/**
 * The Messages API's requirements for a conversation, checked as strictly as any server does. Returns every violation, so that a failing
 * test shows all of them. Thinking is signed over everything before it (`signThinking`), so edited history shows up as a bad signature.
 */
export function validateConversation(request: MessagesRequest): string[] {
  const problems: string[] = [];
  const { messages } = request;
  if (messages.length === 0) return ['messages: at least one message is required'];
  if (messages[0]?.role !== 'user') problems.push('messages.0: the first message must be from the user');
  if (messages.at(-1)?.role === 'assistant') problems.push('the conversation must end with a user message');
  const ids = new Set<string>();
  for (const [at, message] of messages.entries()) {
    const blocks = blocksOf(message);
    const where = `messages.${at}`;
    if (message.role === messages[at - 1]?.role) problems.push(`${where}: two ${message.role} messages in a row`);
    if (blocks.length === 0) problems.push(`${where}: content is empty`);
    problems.push(...blocks.flatMap((block, index) => blockProblems(message, block, `${where}.content.${index}`)));
    problems.push(...pairProblems({ messages, at, ids, where }));
    problems.push(...thinkingProblems(request, at));
  }
  problems.push(...cacheProblems(request));
  return problems;
}

/** Bound to the system prompt, the tools and every earlier message, as with newer models. */
export function signThinking(request: MessagesRequest, before: Message[], thinking: string): string {
  const bound = JSON.stringify([request.system ?? '', request.tools ?? [], before, thinking], withoutCacheControl);
  return createHash('sha256').update(bound).digest('base64');
}

function withoutCacheControl(key: string, value: unknown): unknown {
  return key === 'cache_control' ? undefined : value;
}

function blocksOf({ content }: Message): Block[] {
  return typeof content === 'string' ? (content === '' ? [] : [{ type: 'text', text: content }]) : (content as Block[]);
}

const ALLOWED = {
  user: ['text', 'image', 'document', 'tool_result'],
  assistant: ['text', 'thinking', 'redacted_thinking', 'tool_use'],
  system: ['text'],
};

function blockProblems({ role }: Message, block: Block, where: string): string[] {
  if (!ALLOWED[role].includes(block.type)) return [`${where}: a ${role} message cannot hold ${block.type}`];
  if (block.type === 'text' && (typeof block.text !== 'string' || block.text.trim() === ''))
    return [`${where}: text content blocks must be non-empty`];
  if (block.type === 'tool_use' && (typeof block.input !== 'object' || block.input === null))
    return [`${where}: tool_use.input must be an object`];
  const extra = Object.keys(block).filter((key) => !KNOWN[block.type]?.includes(key));
  return extra.map((key) => `${where}.${key}: extra inputs are not permitted`);
}

const KNOWN: Record<string, string[]> = {
  text: ['type', 'text', 'cache_control', 'citations'],
  image: ['type', 'source', 'cache_control'],
  document: ['type', 'source', 'title', 'cache_control'],
  thinking: ['type', 'thinking', 'signature'],
  redacted_thinking: ['type', 'data'],
  tool_use: ['type', 'id', 'name', 'input', 'caller', 'cache_control'],
  tool_result: ['type', 'tool_use_id', 'content', 'is_error', 'cache_control'],
};

/** Every call must be answered once, in the next message, before any other content, in call order. */
function pairProblems(place: { messages: Message[]; at: number; ids: Set<string>; where: string }): string[] {
  const { messages, at, ids, where } = place;
  const problems: string[] = [];
  const blocks = blocksOf(messages[at]!);
  if (messages[at]!.role === 'assistant') {
    for (const { id } of blocks.filter(({ type }) => type === 'tool_use')) {
      if (ids.has(String(id))) problems.push(`${where}: tool_use ids must be unique: ${id}`);
      ids.add(String(id));
    }
    return problems;
  }
  const previous = messages[at - 1];
  const called = previous ? blocksOf(previous).filter(({ type }) => type === 'tool_use') : [];
  const results = blocks.filter(({ type }) => type === 'tool_result');
  const expected = called.map(({ id }) => id).join(' ');
  const answered = results.map(({ tool_use_id }) => tool_use_id).join(' ');
  if (expected !== answered) problems.push(`${where}: expected results for [${expected}], found [${answered}]`);
  if (blocks.slice(0, results.length).some(({ type }) => type !== 'tool_result'))
    problems.push(`${where}: tool_result blocks must come first`);
  for (const { content, is_error } of results) {
    if (is_error !== undefined && typeof is_error !== 'boolean') problems.push(`${where}: is_error must be a boolean`);
    if (is_error === true && (content === '' || content === undefined))
      problems.push(`${where}: an error result needs content`);
  }
  return problems;
}

function thinkingProblems(request: MessagesRequest, at: number): string[] {
  const message = request.messages[at]!;
  if (message.role !== 'assistant') return [];
  const blocks = blocksOf(message);
  const isThought = ({ type }: Block) => type === 'thinking' || type === 'redacted_thinking';
  if (blocks.every(isThought)) return [`messages.${at}: an assistant message cannot be thinking only`];
  return blocks.flatMap(({ type, thinking, signature }, index) => {
    if (type !== 'thinking' || !String(signature).startsWith('signed:')) return [];
    const expected = `signed:${signThinking(request, request.messages.slice(0, at), String(thinking))}`;
    return signature === expected
      ? []
      : [`messages.${at}.content.${index}: invalid signature: history before this thinking block was changed`];
  });
}

function cacheProblems({ messages, system, tools }: MessagesRequest): string[] {
  const marks = JSON.stringify([tools, system, messages]).match(/"cache_control"/g)?.length ?? 0;
  return marks > 4 ? [`a maximum of 4 blocks with cache_control may be provided; found ${marks}`] : [];
}
