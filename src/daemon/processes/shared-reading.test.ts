import { expect, it } from 'vitest';
import { sharedReading } from './shared-reading.ts';

it('shares a reading among concurrent callers, started after they asked', async () => {
  const finish: (() => void)[] = [];
  let begun = 0;
  const read = sharedReading(() => {
    const mine = ++begun;
    return new Promise<number>((resolve) => finish.push(() => resolve(mine)));
  });
  const first = read();
  const [second, third] = [read(), read()];
  expect(begun).toBe(1);
  finish[0]?.();
  expect(await first).toBe(1);
  await expect.poll(() => begun).toBe(2);
  const fourth = read();
  finish[1]?.();
  expect(await Promise.all([second, third])).toEqual([2, 2]);
  await expect.poll(() => begun).toBe(3);
  finish[2]?.();
  expect(await fourth).toBe(3);
});

it('continues after a failed reading', async () => {
  let asked = 0;
  const read = sharedReading(async () => {
    asked++;
    if (asked === 1) throw new Error('unreadable');
    return asked;
  });
  const failing = read();
  const next = read();
  await expect(failing).rejects.toThrow('unreadable');
  expect(await next).toBe(2);
});
