import { expect, onTestFinished, test } from 'vitest';
import { watchBursts } from './heap-size.ts';

test('lets the heap grow during a burst of events, and keeps it small before and after', () => {
  let recorded = 100;
  const changes: boolean[] = [];
  const { look, stop } = watchBursts(
    () => recorded,
    (isSmall) => void changes.push(isSmall),
  );
  onTestFinished(stop);
  const second = (events: number) => {
    recorded += events;
    look();
  };
  second(500);
  expect(changes).toEqual([]);
  second(5000);
  second(6000);
  expect(changes).toEqual([false]);
  second(10);
  expect(changes).toEqual([false, true]);
});
