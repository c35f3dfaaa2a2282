import { readLevels } from './levels.ts';
import type { Program } from './program.ts';
import type { Assume } from './read-arguments.ts';
import { sameCommands } from './same-commands.ts';
import { programNamed } from './table.ts';

/** The maximum number of operands a pattern names before its options: `gcloud compute instances delete`. */
const MAX_OPERANDS = 4;

export interface Respelled {
  /** Other spellings of the same command. */
  same: string[][];
  /** What may be the same, if an unknown program's options are what they look like. */
  perhaps: string[][];
}

/** A command without the options before its subcommands (`git -C x push` is `git push`), and under its other names. */
export function respell(words: string[]): Respelled {
  const [name = ''] = words;
  const program = programNamed(name);
  const flags = withoutOptions(words, program, 'no values');
  // an unlisted option may take the next word as its value
  const values = flags.isUnsure ? withoutOptions(words, program, 'values').found : [];
  const others = (lists: string[][]) => [...lists, ...lists.flatMap(sameCommands)];
  if (program) return { same: others([words, ...flags.found]).slice(1), perhaps: others(values) };
  return { same: sameCommands(words), perhaps: others([...flags.found, ...values]) };
}

function withoutOptions(
  words: string[],
  program: Program = {},
  assume: Assume,
): { found: string[][]; isUnsure: boolean } {
  const found: string[][] = [];
  const kept = [words[0]!];
  let isUnsure = false;
  let start = 1;
  for (const { read, next } of readLevels(words, 0, program, assume)) {
    isUnsure ||= read.options.some(({ option }) => !option);
    for (const at of next === undefined ? read.operands : [next]) {
      if (program.besides?.test(words[at]!)) continue;
      if (kept.length > MAX_OPERANDS) return { found, isUnsure };
      const hasSkipped = at > start;
      kept.push(words[at]!);
      start = at + 1;
      if (hasSkipped || found.length > 0) found.push([...kept, ...words.slice(start)]);
    }
  }
  return { found, isUnsure };
}
