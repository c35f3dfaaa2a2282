import type { Judge } from './judge.ts';

/** What an option can make a program do beyond what its name promises. */
export type Effect = 'runs' | 'writes' | 'deletes' | 'moves';

/**
 * How a program reads its arguments, and which of them a wildcard in an allow covers. The option lists are written like this:
 *
 *     -abc       three flags, also together with others (`-xab`)
 *     -k:        takes a value: `-k2`, `-k 2`; after flags (`-abk:`) only the last one does
 *     -i?        takes a value only if it is attached: `-i`, `-i.bak`
 *     -#         a number: `-20`
 *     --name     a flag; `--[no-]name` also its opposite
 *     --name=    takes a value: `--name=x`, `--name x`
 *     --name?    takes a value only after `=`
 *     --name.*   every option that starts with `--name.`
 *
 * What is in none of the lists is not covered. Abbreviations (`--outp`) are never in a list, so they are not covered either.
 */
export interface Program {
  /** Options a wildcard covers. */
  plain?: string;
  /** Options a pattern has to spell out: they run other code, write files, delete files, or work in another folder. */
  runs?: string;
  writes?: string;
  deletes?: string;
  moves?: string;
  /** A folder of the project is as good as the project: its configuration is the project's own. */
  nests?: true;
  /** A folder of the project counts like `cd` to it, if a rule allows that. */
  enters?: true;
  /** Values that make such an option harmless. `/dev/null` always does for `writes`. */
  harmless?: Record<string, RegExp>;
  /** Unlisted options are covered. Only for programs whose other lists are complete. */
  others?: 'plain';
  /** It doesn't complete abbreviations. */
  exact?: true;
  /** No argument is risky: it does what its name says, or (`reads`) only reads and prints. */
  free?: 'reads' | 'does what it says';
  /**
   * `words`: options are whole words, with one dash or two (find, npm). `go`: one dash or two mean the same. `bundle`: the first word is a
   * cluster even without a dash (tar). `each`: values are never attached (tree).
   */
  style?: 'words' | 'go' | 'bundle' | 'each';
  /** `--some-name` is also read as `--someName`. */
  camel?: true;
  /** A word like `+nightly` before the subcommand is an option. */
  plus?: true;
  /** The first operand ends the options. */
  ordered?: true;
  /** `--` doesn't end the options. */
  endless?: true;
  /** Checks operands and values where they can do harm (a sed script, `make SHELL=…`). */
  judge?: Judge;
  /** By the first operand; a string is another name for the same subcommand. */
  subcommands?: Record<string, Program | string>;
  /** Operands that are neither a subcommand nor a target: `make V=1 test`. */
  besides?: RegExp;
  /** What any other first operand means. */
  otherwise?: Program;
  /** The options also apply after the subcommand. */
  shared?: true;
  /** It runs the command in its arguments. */
  launch?: Launch;
  /** A wildcard doesn't cover the program (or subcommand) itself. */
  spelled?: true;
  /** `judge` itself handles words that only the shell will know. */
  seesUnknown?: true;
  /** It takes commands from its input; or: what its input may be, so that it runs nothing else. */
  obeysInput?: true | RegExp;
  /** Its arguments and input are code in another language; or only those `judge` finds. */
  language?: true | 'judged';
}

export interface Launch {
  /** Operands before the command: `timeout 5 …`, `docker exec box …`. */
  skip?: number;
  /** The command starts after `--`, wherever that is. */
  afterDashes?: true;
  /** The words are joined and read by a shell. */
  shell?: true;
  /** `NAME=value` may precede the command. */
  assigns?: true;
  /** For an allow, the inner command is what counts. */
  transparent?: true;
  /** The option whose value is the program: `python -m pytest`. Without it, the first operand is a script. */
  module?: string;
  /** The subcommand itself names what runs: `npm test`, `yarn vitest`. */
  self?: true;
  /**
   * `file`: what isn't known as a program is a project file, which gets all arguments. `script`: it is a package.json script, which calls a
   * tool with them. `script or program`: both are possible.
   */
  script?: 'file' | 'script' | 'script or program';
  /** More words are added from the input. */
  appends?: true;
  /** The command is somewhere among the arguments, perhaps as one string. */
  anywhere?: true;
  /** The words are this program's arguments: `yarn workspace a …`. */
  as?: string;
}

/** Doesn't write, run or delete, whatever its arguments. */
export const READS: Program = { free: 'reads', others: 'plain' };
/** Writes or deletes because that is its purpose, and no argument makes it do more. */
export const DOES_WHAT_IT_SAYS: Program = { free: 'does what it says', others: 'plain' };

export function named(names: string, program: Program): Record<string, Program> {
  return Object.fromEntries(names.split(' ').map((name) => [name, program]));
}
