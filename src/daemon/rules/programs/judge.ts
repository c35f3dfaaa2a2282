import type { Effect } from './program.ts';
import type { ReadOption } from './read-arguments.ts';

export interface JudgedArguments {
  words: string[];
  /** Positions of the operands in `words`. */
  operands: number[];
  options: ReadOption[];
}

/** Which words do harm, and how. */
export type Judge = (given: JudgedArguments) => { at: number; effect: Effect }[];

/** Matching operands are risky: `dd of=…`, `a[$(…)]`. */
export function riskyOperands(pattern: RegExp, effect: Effect): Judge {
  return ({ words, operands }) => operands.filter((at) => pattern.test(words[at]!)).map((at) => ({ at, effect }));
}

/** From this operand on, operands are files it writes: `uniq in out`. */
export function writesOperand(first: number): Judge {
  return ({ operands }) => operands.slice(first).map((at) => ({ at, effect: 'writes' }));
}
