import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { JournalEvent } from '../../../journal/journal.ts';
import { TurnEnd } from './turn-end.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start(events: string[] | Error = ['PreToolUse', 'PostToolBatch']) {
  const writes: boolean[] = [];
  const errors: unknown[] = [];
  const turnEnd = new TurnEnd({
    setStopping: (isStopping) => {
      writes.push(isStopping);
      if (events instanceof Error) throw events;
      return events;
    },
    onError: (error) => void errors.push(error),
  });
  const hook = (name: string, sessionId = 's') => turnEnd.observe({ sessionId, source: 'hook', name } as JournalEvent);
  const failedTool = (sessionId = 's') => {
    const state = { isHeld: true };
    void turnEnd.reached(sessionId).then(() => {
      state.isHeld = false;
    });
    return state;
  };
  return { turnEnd, writes, errors, hook, failedTool };
}

test('registers once for several stops, and removes it a while after the last', async () => {
  const { turnEnd, writes } = start();
  turnEnd.begin('s');
  turnEnd.begin('t');
  turnEnd.end('s');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(writes).toEqual([true]);
  turnEnd.end('t');
  turnEnd.end('t');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(writes).toEqual([true, false]);
  turnEnd.end('never begun');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(writes).toEqual([true, false]);
});

test('holds a failed tool until its client has read the change', async () => {
  const { turnEnd, hook, failedTool } = start();
  turnEnd.begin('s');
  await vi.advanceTimersByTimeAsync(300);
  const failed = failedTool();
  // about an earlier change: the client waits a second for further ones
  hook('ConfigChange');
  await vi.advanceTimersByTimeAsync(800);
  hook('ConfigChange', 'other');
  await vi.advanceTimersByTimeAsync(100);
  expect(failed.isHeld).toBe(true);
  hook('ConfigChange');
  await vi.advanceTimersByTimeAsync(50);
  expect(failed.isHeld).toBe(false);
  const next = failedTool();
  await vi.advanceTimersByTimeAsync(0);
  expect(next.isHeld).toBe(false);
});

test('holds no longer than a client needs to read its settings', async () => {
  const { failedTool, writes } = start();
  const failed = failedTool();
  expect(writes).toEqual([true]);
  await vi.advanceTimersByTimeAsync(2400);
  expect(failed.isHeld).toBe(true);
  await vi.advanceTimersByTimeAsync(200);
  expect(failed.isHeld).toBe(false);
});

test.each([
  ['an older client has no such hook', ['PreToolUse']],
  ['our hooks are not in the settings', []],
  ['the settings cannot be written', new Error('EROFS')],
])('holds nothing if %s', async (_why, events) => {
  const { failedTool, errors } = start(events);
  const failed = failedTool();
  await vi.advanceTimersByTimeAsync(0);
  expect(failed.isHeld).toBe(false);
  expect(errors).toHaveLength(events instanceof Error ? 1 : 0);
});
