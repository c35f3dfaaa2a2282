import { expect, test } from 'vitest';
import { answerAtOnce, answerByManyHands, killAtRandom } from '../kit/chaos-approvals.ts';

// the long versions: npm run bench chaos-approvals
test('three parallel asks answered at random are each decided once, by the one who answered, and none is lost', async () => {
  expect(await answerByManyHands({ rounds: 4, seed: 7 })).toMatchObject({ asked: 12, wrong: [] });
});

test('every decision reported as delivered reached the client, however the daemon was killed', async () => {
  expect(await killAtRandom({ rounds: 4, seed: 11 })).toMatchObject({ rounds: 4, wrong: [] });
});

test('of a key and a simultaneous remote decision, one counts, and the record says which at once', async () => {
  expect(await answerAtOnce({ rounds: 6, seed: 13 })).toMatchObject({ rounds: 6, wrong: [] });
});
