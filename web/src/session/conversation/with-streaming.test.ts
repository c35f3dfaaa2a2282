import { expect, it } from 'vitest';
import type { Message, MessagePart } from '../../../../src/contract/messages.ts';
import type { StreamingMessage, StreamingPart } from '../../live/streaming-store.ts';
import { withStreaming } from './with-streaming.ts';

const text = (words: string, clipped = false): MessagePart => ({ kind: 'text', text: words, clipped });
const thinking = (words: string): MessagePart => ({ kind: 'thinking', text: words, clipped: false });

function message(id: string, replyId: string | null, parts: MessagePart[]): Message {
  const role = replyId === null ? 'user' : 'assistant';
  return { id, replyId, role, at: 1, model: null, isMeta: false, parts, tokens: null, costUsd: null };
}

const streaming = (id: string, ...parts: StreamingPart[]): StreamingMessage => ({ id, actorId: 'main', parts });
const prompt = message('p', null, [text('Go')]);

it('adds a message that the transcript does not have yet, and keeps its key when it lands', () => {
  const streamed = new Set<string>();
  const live = [streaming('m1', { kind: 'text', from: 0, text: 'Hel' })];
  const before = withStreaming([prompt], live, streamed);
  expect(before.map(({ key, isStreaming }) => [key, isStreaming])).toEqual([
    ['p', false],
    ['streamed:m1', true],
  ]);
  const landed = message('uuid', 'm1', [text('Hello')]);
  expect(withStreaming([prompt, landed], live, streamed)[1]).toEqual({
    message: landed,
    key: 'streamed:m1',
    isStreaming: false,
    isUnfinished: false,
  });
  expect(withStreaming([prompt, landed], [], streamed)[1]?.key).toBe('streamed:m1');
});

it('shows text once while a message lands block by block', () => {
  const live = [
    streaming(
      'm1',
      { kind: 'thinking', from: 0, text: 'Hm.' },
      { kind: 'text', from: 0, text: 'One. ' },
      { kind: 'thinking', from: 3, text: 'So.' },
      { kind: 'text', from: 5, text: 'Two' },
    ),
  ];
  const partsAfter = (parts: MessagePart[]) =>
    withStreaming([message('a', 'm1', parts)], live, new Set())[0]?.message.parts;
  expect(partsAfter([thinking('Hm.')])).toEqual([thinking('Hm.'), text('One. '), thinking('So.'), text('Two')]);
  expect(partsAfter([thinking('Hm.'), text('One. ')])).toEqual([thinking('Hm.'), text('One. '), text('Two')]);
  expect(partsAfter([thinking(''), text('One. Two and more')])).toEqual([thinking(''), text('One. Two and more')]);
  expect(partsAfter([text('One', true)])).toEqual([text('One', true)]);
});

it('marks a gap at the start of what it has', () => {
  const [row] = withStreaming([], [streaming('m1', { kind: 'text', from: 40, text: 'the end' })], new Set());
  expect(row?.message.parts).toEqual([text('… the end')]);
});

it('returns the same message objects for everything that is not being written', () => {
  const other = message('b', 'm0', [text('Done')]);
  const rows = withStreaming([prompt, other], [streaming('m1', { kind: 'text', from: 0, text: 'x' })], new Set());
  expect(rows[0]?.message).toBe(prompt);
  expect(rows[1]?.message).toBe(other);
});

it('gives two transcript messages with one reply id different keys', () => {
  const copies = [message('a', 'm1', [text('x')]), message('b', 'm1', [text('y')])];
  const keys = withStreaming(copies, [streaming('m1', { kind: 'text', from: 0, text: 'x' })], new Set());
  expect(keys.map(({ key }) => key)).toEqual(['streamed:m1', 'b']);
});
