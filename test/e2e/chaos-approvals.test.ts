import { expect, test } from 'vitest';
import { answerAtOnce, answerByManyHands, killAtRandom } from '../kit/chaos-approvals.ts';

// the long versions: npm run bench chaos-approvals
test('three parallel asks, answered by many people at random: each once, by the one who answered, none lost', async () => {
  expect(await answerByManyHands({ rounds: 4, seed: 7 })).toMatchObject({ asked: 12, wrong: [] });
});

test('whatever was called delivered reached the client, however the daemon was killed', async () => {
  expect(await killAtRandom({ rounds: 4, seed: 11 })).toMatchObject({ rounds: 4, wrong: [] });
});

test('of a Yes at the keyboard and a remote denial at the same moment one counts, and the record says which', async () => {
  expect(await answerAtOnce({ rounds: 4, seed: 13 })).toMatchObject({ rounds: 4, wrong: [] });
});
