import { expect, test } from 'vitest';
import { DemoClock, MINUTE } from './clock.ts';

test('begins in the past, and is in the present when it has caught up', async () => {
  const { signal } = new AbortController();
  const clock = new DemoClock({ leadMs: 30 * MINUTE, catchUpMs: 120, speed: 1, signal });
  expect(clock.present - clock.now()).toBeGreaterThan(10 * MINUTE);

  await clock.until(clock.present - 5 * MINUTE);
  expect(clock.now()).toBeGreaterThanOrEqual(clock.present - 5 * MINUTE);

  await clock.until(clock.present);
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(50);
});

test('only what lies after the present passes at the chosen speed', async () => {
  const { signal } = new AbortController();
  const clock = new DemoClock({ leadMs: MINUTE, catchUpMs: 20, speed: 100, signal });
  const end = await clock.pass(clock.present - 10_000, 12_000);
  expect(end).toBe(clock.present + 20);
});

test('says why it was ended', async () => {
  const stop = new AbortController();
  const clock = new DemoClock({ leadMs: MINUTE, catchUpMs: 20, speed: 1, signal: stop.signal });
  const staying = clock.stay();
  stop.abort(new Error('the fleet goes home'));
  await expect(staying).rejects.toThrow('the fleet goes home');
});
