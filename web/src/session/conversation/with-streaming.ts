import type { Message, MessagePart } from '../../../../src/contract/messages.ts';
import type { StreamingMessage, StreamingPart } from '../../live/streaming-store.ts';

export interface Row {
  message: Message;
  /** Stays the same when a streamed message reaches the transcript, so its row isn't rebuilt. */
  key: string;
  /** Some of it isn't in the transcript yet. */
  isStreaming: boolean;
  /** Its turn ended before it was complete. */
  isUnfinished: boolean;
}

/**
 * Adds messages that are still being written to those in the transcript. Text that the transcript has comes from there; the rest follows
 * it. `streamed` remembers which messages were streamed, for their keys.
 */
export function withStreaming(
  messages: readonly Message[],
  streaming: readonly StreamingMessage[],
  streamed: Set<string>,
): Row[] {
  for (const { id } of streaming) streamed.add(id);
  const rest = new Map(streaming.map((one) => [one.id, one]));
  const keyed = new Set<string>();
  const rows = messages.map((message): Row => {
    const { replyId } = message;
    if (replyId === null || !streamed.has(replyId) || keyed.has(replyId))
      return { message, key: message.id, isStreaming: false, isUnfinished: false };
    keyed.add(replyId);
    const live = rest.get(replyId);
    rest.delete(replyId);
    const parts = live ? remaining(live.parts, message.parts) : [];
    return {
      message: parts.length > 0 ? { ...message, parts: [...message.parts, ...parts] } : message,
      key: keyOf(replyId),
      isStreaming: parts.length > 0,
      isUnfinished: false,
    };
  });
  for (const { id, parts } of rest.values()) {
    const message = begun(id, remaining(parts, []));
    if (message.parts.length > 0) rows.push({ message, key: keyOf(id), isStreaming: true, isUnfinished: false });
  }
  return rows;
}

const keyOf = (replyId: string) => `streamed:${replyId}`;

/** What was streamed beyond what the transcript has. A finished block is written whole, so a truncated one has landed, too. */
function remaining(parts: readonly StreamingPart[], landed: readonly MessagePart[]): MessagePart[] {
  const ends = { text: 0, thinking: 0 };
  for (const part of landed) {
    if (part.kind !== 'text' && part.kind !== 'thinking') continue;
    ends[part.kind] = part.clipped ? Number.POSITIVE_INFINITY : ends[part.kind] + part.text.length;
  }
  // Some clients write thinking without its text. What follows it shows that it is over.
  if (landed.some(({ kind }) => kind === 'text' || kind === 'tool')) ends.thinking = Number.POSITIVE_INFINITY;
  return parts.flatMap(({ kind, from, text }): MessagePart[] => {
    const rest = text.slice(Math.max(0, ends[kind] - from));
    const isGap = from > ends[kind];
    ends[kind] = Math.max(ends[kind], from + text.length);
    return rest.trim() === '' ? [] : [{ kind, text: isGap ? `… ${rest}` : rest, clipped: false }];
  });
}

function begun(replyId: string, parts: MessagePart[]): Message {
  return {
    id: keyOf(replyId),
    replyId,
    role: 'assistant',
    at: null,
    model: null,
    isMeta: false,
    parts,
    tokens: null,
    costUsd: null,
  };
}
