import type { Program } from './program.ts';
import { type Arguments, type Assume, type Manner, readArguments } from './read-arguments.ts';

/** A program or subcommand, with what comes between it and the next one. */
export interface Level {
  program: Program;
  /** Whose options apply: its own, and those of parent programs that share theirs. */
  chain: Program[];
  /** Where it is named. */
  at: number;
  read: Arguments;
  /** Where the next subcommand is named, and its full name. */
  next: number | undefined;
  inFull: string | undefined;
}

const NOTHING_KNOWN: Program = {};

/** `docker -D compose -f x exec app ls` as `docker`, `compose` and `exec`, each with its own arguments. */
export function readLevels(words: string[], at: number, program: Program, assume: Assume = 'no values'): Level[] {
  const first = readLevel(words, { program, at, parents: [], manner: mannerOf(program), assume });
  const levels: Level[] = [first.level];
  for (let { following } = first; following; ) {
    const read = readLevel(words, following);
    levels.push(read.level);
    following = read.following;
  }
  return levels;
}

interface Start {
  program: Program;
  at: number;
  parents: Program[];
  manner: Manner;
  assume: Assume;
}

function readLevel(
  words: string[],
  { program, at, parents, manner, assume }: Start,
): { level: Level; following?: Start } {
  const chain = [program, ...parents];
  const hasNext = program.subcommands !== undefined || program.otherwise !== undefined;
  const read = readArguments(words, at + 1, { chain, manner, ordered: hasNext || program.ordered === true, assume });
  const next = hasNext ? read.operands[0] : undefined;
  if (next === undefined) return { level: { program, chain, at, read, next, inFull: undefined } };
  const { sub, inFull } = subcommand(program, words[next]!);
  return {
    level: { program, chain, at, read, next, inFull },
    following: {
      ...{ program: sub, at: next, parents: program.shared ? chain : [], assume },
      manner: { ...manner, ...mannerOf(sub) },
    },
  };
}

function subcommand(
  { subcommands = {}, otherwise = NOTHING_KNOWN }: Program,
  name: string,
): { sub: Program; inFull: string | undefined } {
  const found = Object.hasOwn(subcommands, name) ? subcommands[name]! : otherwise;
  if (typeof found !== 'string') return { sub: found, inFull: undefined };
  const same = subcommands[found];
  return { sub: typeof same === 'object' ? same : otherwise, inFull: found };
}

function mannerOf({ style, camel, endless, plus }: Program): Manner {
  return { ...(style && { style }), ...(camel && { camel }), ...(endless && { endless }), ...(plus && { plus }) };
}
