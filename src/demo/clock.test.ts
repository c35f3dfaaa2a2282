import { expect, test } from 'vitest';
import { DemoClock, MINUTE } from './clock.ts';

const { signal } = new AbortController();

test('replays the past in order, as fast as everyone keeps up, and continues into the present', async () => {
  const clock = new DemoClock({ leadMs: 30 * MINUTE, speed: 1, signal });
  const seen: [string, number][] = [];
  const walk = async (name: string, minutesAgo: number[]) => {
    const actor = { name };
    clock.begin(actor);
    await Promise.resolve();
    for (const minutes of minutesAgo) {
      await clock.until(clock.present - minutes * MINUTE, { actor });
      // something slow: the clock doesn't advance meanwhile
      await new Promise((resolve) => setTimeout(resolve, 5));
      seen.push([name, Math.round((clock.present - clock.now()) / MINUTE)]);
    }
    clock.arrive(actor);
  };
  await Promise.all([walk('first', [20, 10]), walk('second', [25, 15, 5]), clock.live]);
  expect(seen).toEqual([
    ['second', 25],
    ['first', 20],
    ['second', 15],
    ['first', 10],
    ['second', 5],
  ]);
  expect(clock.isLive).toBe(true);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
});

test('applies the chosen speed only after the present', () => {
  const clock = new DemoClock({ leadMs: MINUTE, speed: 100, signal });
  expect(clock.after(clock.present - 10_000, 12_000)).toBe(clock.present + 20);
  expect(clock.after(clock.present - 10_000, 4000)).toBe(clock.present - 6000);
});

test('says why it was ended', async () => {
  const stop = new AbortController();
  const clock = new DemoClock({ leadMs: MINUTE, speed: 1, signal: stop.signal });
  const busy = {};
  clock.begin(busy);
  const waits = [clock.stay(), clock.until(clock.present - 1), clock.until(clock.present + MINUTE)];
  stop.abort(new Error('the fleet goes home'));
  for (const waiting of waits) await expect(waiting).rejects.toThrow('the fleet goes home');
});
