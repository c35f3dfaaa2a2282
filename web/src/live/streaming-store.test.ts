import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { MessageDelta } from '../../../src/contract/runners.ts';
import { createStreamingStore } from './streaming-store.ts';

const delta = (offset: number, text: string, messageId = 'm', kind: MessageDelta['kind'] = 'text'): MessageDelta => ({
  sessionId: 's',
  messageId,
  actor: { id: 'main' },
  kind,
  text,
  offset,
});

function setUp(open: () => MessageDelta[] = () => []) {
  const asked: string[] = [];
  const store = createStreamingStore({
    schedule: (flush) => void setTimeout(flush, 16),
    fetchOpen: async (id) => {
      asked.push(id);
      return open();
    },
  });
  const text = () => store.of('s').map(({ parts }) => parts.map((part) => part.text).join('|'));
  return { store, asked, text };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

it('joins deltas, ignores repeated ones and renders once per frame', async () => {
  const { store, text } = setUp();
  let renders = 0;
  store.watch('s', () => renders++);
  await vi.advanceTimersByTimeAsync(20);
  store.receive(delta(0, 'Hel'));
  store.receive(delta(3, 'lo'));
  store.receive(delta(0, 'Hello wor'));
  store.receive(delta(3, 'lo'));
  await vi.advanceTimersByTimeAsync(20);
  expect(text()).toEqual(['Hello wor']);
  expect(renders).toBe(1);
});

it('gets the beginning of a message that was being written when the page opened', async () => {
  const { store, text } = setUp(() => [delta(0, 'Hm.', 'm', 'thinking'), delta(0, 'Hello ')]);
  store.watch('s', () => undefined);
  store.receive(delta(6, 'world'));
  await vi.advanceTimersByTimeAsync(20);
  expect(text()).toEqual(['Hm.|Hello world']);
});

it('fills a gap after a reconnect, and says where it could not', async () => {
  let known: MessageDelta[] = [];
  const { store, text, asked } = setUp(() => known);
  store.watch('s', () => undefined);
  await vi.advanceTimersByTimeAsync(20);
  store.receive(delta(0, 'abc'));
  known = [delta(0, 'abcdef')];
  store.receive(delta(6, 'ghi'));
  await vi.advanceTimersByTimeAsync(20);
  expect(text()).toEqual(['abcdefghi']);
  known = [];
  store.receive(delta(20, 'xyz'));
  await vi.advanceTimersByTimeAsync(20);
  expect(text()).toEqual(['abcdefghi|xyz']);
  expect(store.of('s')[0]?.parts.at(-1)?.from).toBe(20);
  expect(asked).toHaveLength(3);
});

it('keeps a finished message until the transcript must have it', async () => {
  const { store, text } = setUp();
  store.watch('s', () => undefined);
  await vi.advanceTimersByTimeAsync(20);
  store.receive(delta(0, 'one', 'm1'));
  store.receive(delta(0, 'two', 'm2'));
  expect(text()).toEqual(['one', 'two']);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(text()).toEqual(['two']);
});

it('keeps nothing for a session without viewers', async () => {
  const { store, asked } = setUp();
  store.receive(delta(0, 'one'));
  expect(store.of('s')).toEqual([]);
  expect(asked).toEqual([]);
  const leave = store.watch('s', () => undefined);
  await vi.advanceTimersByTimeAsync(20);
  store.receive(delta(0, 'one'));
  leave();
  expect(store.of('s')).toEqual([]);
});

it('works without the list of open messages, which viewers do not get', async () => {
  const store = createStreamingStore({
    schedule: (flush) => flush(),
    fetchOpen: () => Promise.reject(new Error('403')),
  });
  store.watch('s', () => undefined);
  store.receive(delta(0, 'one'));
  await vi.advanceTimersByTimeAsync(20);
  expect(store.of('s')).toHaveLength(1);
});
