import { expect, test, vi } from 'vitest';
import { createTyping } from './typing.ts';

test('a key alone acts after a moment; a key in a word never does', async () => {
  vi.useFakeTimers();
  try {
    const typing = createTyping();
    const run = vi.fn();
    const onTyping = vi.fn();
    typing.note(1_000);
    expect(typing.isInWord()).toBe(false);
    typing.whenAlone(run, onTyping);
    await vi.advanceTimersByTimeAsync(500);
    expect([run.mock.calls.length, onTyping.mock.calls.length]).toEqual([1, 0]);

    typing.note(2_000);
    typing.note(2_150);
    expect(typing.isInWord()).toBe(true);

    typing.note(3_000);
    typing.whenAlone(run, onTyping);
    typing.note(3_100);
    await vi.advanceTimersByTimeAsync(500);
    expect([run.mock.calls.length, onTyping.mock.calls.length]).toEqual([1, 1]);
  } finally {
    vi.useRealTimers();
  }
});

test('a navigation key ends the word', () => {
  const typing = createTyping();
  typing.note(1_000);
  typing.endWord();
  typing.note(1_050);
  expect(typing.isInWord()).toBe(false);
});

test('knows for a moment that someone is typing', () => {
  const typing = createTyping();
  expect(typing.isGoingOn(5_000)).toBe(false);
  typing.note(5_000);
  expect([typing.isGoingOn(5_300), typing.isGoingOn(5_500)]).toEqual([true, false]);
});
