import { seededRandom } from '../kit/random.ts';

export interface Dice {
  /** 0 ≤ n < end */
  below(end: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
}

/** The same seed gives the same rolls. */
export function dice(seed: number): Dice {
  const random = seededRandom(seed);
  const below = (end: number) => (end <= 0 ? 0 : random.integer(0, end - 1));
  return { below, chance: random.chance, pick: (items) => items[below(items.length)]! };
}
