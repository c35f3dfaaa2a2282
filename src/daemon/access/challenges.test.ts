import { expect, it } from 'vitest';
import { Challenges } from './challenges.ts';

const asker = { pid: 7, start: '100' };

it('is valid once, for the requesting process, for a minute', () => {
  let now = 0;
  const challenges = new Challenges(() => now);
  const issue = () => challenges.issue(asker).challenge;
  const first = issue();
  expect(challenges.use(first, asker)).toBe(true);
  expect(challenges.use(first, asker)).toBe(false);
  expect(challenges.use(issue(), { ...asker, pid: 8 })).toBe(false);
  expect(challenges.use(issue(), { ...asker, start: '101' })).toBe(false);
  const taken = issue();
  challenges.use(taken, { pid: 8, start: '1' });
  // a failed attempt uses it up
  expect(challenges.use(taken, asker)).toBe(false);
  const late = issue();
  now = 60_001;
  expect(challenges.use(late, asker)).toBe(false);
  expect(challenges.use('', asker)).toBe(false);
});
