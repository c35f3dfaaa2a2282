export interface Random {
  /** 0 ≤ n < 1 */
  next(): number;
  integer(min: number, max: number): number;
  chance(probability: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  hex(digits: number): string;
  uuid(): string;
}

/** mulberry32: the same seed gives the same run on every machine. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits)
      text += Math.floor(next() * 2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, digits);
  };
  return {
    next,
    integer,
    hex,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)] ?? items[0],
    uuid: () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`,
  };
}
