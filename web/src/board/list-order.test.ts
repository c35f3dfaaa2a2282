import { expect, test } from 'vitest';
import { aSession } from '../live/session-for-test.ts';
import { orderSessions } from './list-order.ts';

const sessions = [
  aSession('b', { title: 'Beta', contextWindowTokens: 90, contextWindowLimit: 100 }),
  aSession('a', { title: 'alpha' }),
  aSession('c', { title: 'Gamma', contextWindowTokens: 10, contextWindowLimit: 100 }),
];
const ids = (...[sort, descending]: [Parameters<typeof orderSessions>[1], boolean]) =>
  orderSessions(sessions, sort, descending)
    .map(({ id }) => id)
    .join('');

test('sorts by any column, with unknown values last', () => {
  expect([ids('title', false), ids('title', true)]).toEqual(['abc', 'cba']);
  expect([ids('context', false), ids('context', true)]).toEqual(['cba', 'bca']);
});

test('keeps the order of the board among equals', () => {
  expect([ids('state', false), ids('state', true)]).toEqual(['bac', 'bac']);
});
