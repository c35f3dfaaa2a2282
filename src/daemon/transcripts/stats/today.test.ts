import { expect, test } from 'vitest';
import type { IndexStatus } from '../../../contract/history.ts';
import { LiveModel } from '../../sessions/live-model.ts';
import { Hub } from '../../stream/hub.ts';
import { type Spent, Today } from './today.ts';

function start(phase: IndexStatus['phase'] = 'idle') {
  const hub = new Hub({ keep: 1 });
  const told: unknown[] = [];
  hub.add({ send: ({ frames }) => told.push(...frames.map(({ data }) => data)) });
  const asked: ((spent: Spent) => void)[] = [];
  const ask = () => new Promise<Spent>((resolve) => asked.push(resolve));
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const today = new Today({ ask, warmUp: () => undefined, phase: () => phase, hub, live: new LiveModel(), onError });
  return { today, told, asked, errors };
}

test('reports to a new watcher once the sum is known, and to the next one immediately', async () => {
  const { today, told, asked } = start();
  expect(today.spent).toEqual({ costUsd: null, tokens: null });
  today.greet();
  today.greet();
  expect(asked, 'once for both').toHaveLength(1);
  asked[0]?.({ costUsd: 1.5, tokens: 2000 });
  await expect.poll(() => told).toHaveLength(1);
  expect(told[0]).toMatchObject({ totalCostTodayUsd: 1.5, totalTokensToday: 2000, needsYouCount: 0, reset: false });
  expect(today.spent).toEqual({ costUsd: 1.5, tokens: 2000 });
});

test('does not report a partial sum', () => {
  const { today, asked } = start('totals');
  today.greet();
  expect(asked).toEqual([]);
});
