import { expect, test } from 'vitest';
import type { CostState, StateTotals } from './cost-state.ts';
import { otherRequests } from './other-requests.ts';
import { noTotals, totalsByModel } from './totals.ts';
import type { UsageRecord } from './usage.ts';

const OPUS = 'claude-opus-5-5';
type Message = Partial<UsageRecord> & { at: number };

function used(more: Partial<StateTotals> = {}): StateTotals {
  return { ...noTotals(), usd: 0, ...more };
}

function state(more: Partial<CostState> & Pick<CostState, 'models'>): CostState {
  return { sessionId: 's', startTime: 1000, duration: 100, at: 2000, ...more };
}

function count(states: CostState[], messages: Message[], base?: CostState) {
  const own = messages.map((message) => ({ ...noTotals(), model: OPUS, ...message }) as UsageRecord);
  const spent = (from: number, before: number) => ({
    models: new Map(
      Array.from(totalsByModel(own.filter(({ at }) => at >= from && at < before)), ([model, totals]) => [
        model,
        { ...totals, usd: 0 },
      ]),
    ),
  });
  const nextMessage = (after: number) => Math.min(...own.flatMap(({ at }) => (at > after ? [at] : [])), Infinity);
  return otherRequests({ states, base, spent, nextMessage });
}

test('reports usage as a compaction if the client counted it and no message did', () => {
  const states = [state({ models: { [OPUS]: used({ input: 70_000, output: 1900, usd: 0.3 }) } })];
  const others = count(states, [
    { at: 1500, input: 10_000, output: 500 },
    { at: 2000, input: 10_000, output: 500 },
  ]);
  expect(others).toEqual([{ ...noTotals(), at: 2000, model: OPUS, input: 50_000, output: 900, clientUsd: 0.3 }]);
});

test('a session whose messages account for everything has no other usage', () => {
  const states = [state({ models: { [OPUS]: used({ input: 10 }) } })];
  expect(count(states, [{ at: 1500, input: 10 }])).toEqual([]);
});

test('matches models by identity, and uses the messages’ names', () => {
  const models = { 'us.anthropic.claude-haiku-4-5-20251001-v1:0': used({ input: 30 }), other: used({ output: 4 }) };
  const others = count([state({ models })], [{ at: 1500, input: 10, model: 'claude-haiku-4-5-20251001' }]);
  expect(others).toMatchObject([
    { model: 'claude-haiku-4-5-20251001', input: 20 },
    { model: 'other', output: 4 },
  ]);
});

test('a session that was resumed has each part when it was counted', () => {
  const states = [
    state({ models: { [OPUS]: used({ input: 110 }) } }),
    state({ models: { [OPUS]: used({ input: 110 }) }, duration: 101 }),
    state({ models: { [OPUS]: used({ input: 150, webSearches: 2 }) }, at: 9000, duration: 300 }),
  ];
  const others = count(states, [
    { at: 1500, input: 10 },
    { at: 9000, input: 5 },
  ]);
  expect(others).toMatchObject([
    { at: 2000, input: 100 },
    { at: 9000, input: 35, webSearches: 2 },
  ]);
});

test('ignores messages after the last sum', () => {
  const states = [state({ models: { [OPUS]: used({ input: 110 }) } })];
  const others = count(states, [
    { at: 2000, input: 10 },
    { at: 5000, input: 70 },
  ]);
  expect(others).toMatchObject([{ input: 100 }]);
});

test('a killed client loses its counts', () => {
  const states = [state({ startTime: 4000, at: 5000, models: { [OPUS]: used({ input: 30 }) } })];
  const others = count(states, [
    { at: 1500, input: 999 },
    { at: 5000, input: 10 },
  ]);
  expect(others).toMatchObject([{ input: 20 }]);
});

test('subtracts nothing if a sum is lower than the messages', () => {
  const states = [
    state({ models: { [OPUS]: used({ input: 50 }) } }),
    state({ models: { [OPUS]: used({ input: 60 }) }, at: 9000, duration: 300 }),
  ];
  const others = count(states, [
    { at: 1500, input: 10 },
    // by a client that was killed in between
    { at: 5000, input: 45 },
    { at: 9000, input: 10 },
  ]);
  expect(others).toEqual([]);
});

test('a fork’s other usage is what it counted beyond its parent’s sum', () => {
  const base = state({ sessionId: 'parent', models: { [OPUS]: used({ input: 500, usd: 2 }) } });
  const states = [state({ models: { [OPUS]: used({ input: 700, usd: 3 }) }, at: 8000, duration: 900 })];
  expect(count(states, [{ at: 8000, input: 150 }], base)).toMatchObject([{ input: 50, clientUsd: 1 }]);
});
