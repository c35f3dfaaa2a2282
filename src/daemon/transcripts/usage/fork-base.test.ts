import { expect, test } from 'vitest';
import { type Fork, forkBase, type RelatedState } from './fork-base.ts';
import { noTotals } from './totals.ts';

function state(input: number, more: Partial<RelatedState> = {}): RelatedState {
  const models = { m: { ...noTotals(), input, usd: 0 } };
  return { sessionId: 'parent', startTime: 1000, duration: 100, at: 2000, bornMs: 1100, models, ...more };
}

const fork: Fork = { first: state(500, { sessionId: 'fork', duration: 900, at: 9000 }), bornMs: 8500, parentId: null };

test('a session that shares no start with another began with nothing', () => {
  expect(forkBase(fork, [])).toBeUndefined();
  expect(forkBase(fork, [state(100, { startTime: 1001 })])).toBeUndefined();
});

test('a parent continues from none of its forks', () => {
  expect(forkBase(fork, [state(100, { bornMs: 8600 })])).toBeUndefined();
});

test('a fork continues from its parent’s last sum at that time', () => {
  const before = state(100);
  const last = state(200, { duration: 300 });
  const later = state(300, { duration: 600, at: 8400 });
  expect(forkBase(fork, [before, last, later]), 'the fork has run for at least 500 ms of its 900').toBe(last);
});

test('a sum that exceeds its own in any count is not what it continued from', () => {
  const first = state(100);
  expect(forkBase(fork, [first, state(501, { duration: 200 })])).toBe(first);
  const other = state(100, { duration: 200 });
  expect(forkBase(fork, [first, { ...other, models: { other: other.models.m! } }])).toBe(first);
});

test('prefers the session whose messages it starts with over others with the same start', () => {
  const parent = state(100);
  const sibling = state(150, { sessionId: 'sibling', duration: 200 });
  expect(forkBase({ ...fork, parentId: 'parent' }, [parent, sibling])).toBe(parent);
  expect(forkBase(fork, [parent, sibling])).toBe(sibling);
});
