import { expect, it } from 'vitest';
import { spendingLine } from './spending-line.ts';

const at = (time: string) => Date.parse(`2026-11-16T${time}:00Z`);
const shown = (line: ReturnType<typeof spendingLine>) =>
  line.map(({ at: time, totalUsd, tokens }) => [new Date(time).toISOString().slice(11, 16), totalUsd, tokens]);

it('starts at zero with the session, and stays flat without spending', () => {
  const spending = [
    { at: at('10:15'), totalUsd: 2, tokens: 200 },
    { at: at('10:55'), totalUsd: 3, tokens: 300 },
  ];
  const line = spendingLine(spending, { startedAt: at('10:18'), lastActivityAt: at('10:57') });
  expect(shown(line)).toEqual([
    ['10:18', 0, 0],
    ['10:20', 2, 200],
    ['10:55', 2, 200],
    ['10:57', 3, 300],
  ]);
});

it('adds up models used in the same minutes', () => {
  const spending = [
    { at: at('10:15'), totalUsd: 2, tokens: 200 },
    { at: at('10:15'), totalUsd: 3, tokens: 300 },
    { at: at('10:20'), totalUsd: 4, tokens: 400 },
  ];
  const line = spendingLine(spending, { startedAt: at('10:00'), lastActivityAt: at('11:00') });
  expect(shown(line)).toEqual([
    ['10:00', 0, 0],
    ['10:15', 0, 0],
    ['10:20', 3, 300],
    ['10:25', 4, 400],
  ]);
});

it('never goes back in time, whatever the clocks say', () => {
  const spending = [{ at: at('10:15'), totalUsd: 2, tokens: 200 }];
  expect(shown(spendingLine(spending, { startedAt: at('12:00'), lastActivityAt: at('10:00') }))).toEqual([
    ['10:20', 0, 0],
    ['10:20', 2, 200],
  ]);
  expect(shown(spendingLine(spending, { startedAt: null, lastActivityAt: at('10:17') }))).toEqual([
    ['10:15', 0, 0],
    ['10:17', 2, 200],
  ]);
  expect(spendingLine([], { startedAt: null, lastActivityAt: 0 })).toEqual([]);
});
