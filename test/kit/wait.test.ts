import { expect, test } from 'vitest';
import { WaitTimeout, waitFor } from './wait.ts';

test('returns the first result', async () => {
  let asked = 0;
  const value = await waitFor(() => (++asked === 3 ? 'there' : undefined), { what: 'it', interval: 1 });
  expect(value).toBe('there');
});

test('asks again after a check that throws', async () => {
  let asked = 0;
  const check = () => {
    asked += 1;
    if (asked < 3) throw new Error('not yet');
    return asked;
  };
  expect(await waitFor(check, { what: 'it', interval: 1 })).toBe(3);
});

test('reports what never happened, the last error and the last value', async () => {
  const check = () => {
    throw new Error('no such file');
  };
  const waiting = waitFor(check, { what: 'the pid file', timeout: 10, interval: 1, context: () => 'an empty folder' });
  await expect(waiting).rejects.toThrow(WaitTimeout);
  await expect(waiting).rejects.toThrow(/10 ms for the pid file\nlast error: no such file\nan empty folder/);
});
