import { expect, it } from 'vitest';
import { type SseMessage, sseParser } from './sse-parser.ts';

const TEXT = [
  'retry: 250\n\n',
  'event: summary\ndata: {"reset":true}\n\n',
  'id: 41\nevent: session_updated\ndata: {"id":"a: b","label":"x\\n\\ny"}\n\n',
  ': a comment\n\n',
  'event: heartbeat\ndata: {}\n\n',
].join('');

const MESSAGES = [
  { type: 'summary', data: '{"reset":true}', lastEventId: '' },
  { type: 'session_updated', data: '{"id":"a: b","label":"x\\n\\ny"}', lastEventId: '41' },
  { type: 'heartbeat', data: '{}', lastEventId: '' },
];

it.each([1, 2, 3, 7, 50, 1000])('reads the same messages from pieces of %i characters', (size) => {
  const received: SseMessage[] = [];
  const read = sseParser((message) => received.push(message));
  for (let at = 0; at < TEXT.length; at += size) read(TEXT.slice(at, at + size));
  expect(received).toEqual(MESSAGES);
});

it('holds a message back until it is complete', () => {
  const received: SseMessage[] = [];
  const read = sseParser((message) => received.push(message));
  read('event: heartbeat\ndata: {}\n');
  expect(received).toEqual([]);
  read('\n');
  expect(received).toHaveLength(1);
});
