// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the language here is the shell's
import type { Dice } from './dice.ts';
import type { RealProgram } from './real-programs.ts';

export interface Generated {
  program: RealProgram;
  command: string;
  /** Certain to do harm according to the manual. Where the manual leaves it open, only running it tells. */
  isHarmful: boolean;
}

const LETTERS = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'];

/** A command with options in every spelling the program accepts, and maybe a harmful one. */
export function generate(random: Dice, program: RealProgram): Generated {
  const pieces = Array.from({ length: random.below(4) }, () => harmless(random, program));
  const bad = random.chance(0.6) ? harm(random, program) : undefined;
  const operand = program.soup && random.chance(0.4) ? cook(random, program.soup) : random.pick(program.operands);
  const list = [...pieces, ...(bad ? [bad.text] : [])];
  // a word after a single letter may be its value, and one after `--` an operand: the real program will tell
  const isOpen = program.isRun && random.chance(0.2);
  if (isOpen) list.splice(random.below(list.length + 1), 0, random.pick(traps(random, program)));
  const words = program.ordered || random.chance(0.5) ? [...list, operand] : shuffled(random, [...list, operand]);
  const plain = words.filter((word) => word !== '');
  const command = random.chance(0.3)
    ? inShell(random, program.command, plain)
    : [program.command, ...plain.map((word) => disguise(random, word))].join(' ');
  const isBehindEnd = words.some(
    (word, at) => / ?--( |$)/.test(word) && words.slice(at + 1).includes(bad?.text ?? ' '),
  );
  return { program, command, isHarmful: bad !== undefined && !isOpen && !isBehindEnd };
}

/** The same command with one word moved into a variable, a loop or a substitution. */
function inShell(random: Dice, name: string, words: string[]): string {
  const at = random.below(words.length + 1);
  // only a word without special meaning to the shell can be moved as is
  const [, hidden, rest = ''] = /^([\w./=:,+@%-]+)( .*)?$/s.exec(words[at] ?? '') ?? [];
  const use = (text: string) => [name, ...words.map((word, index) => (index === at ? text : word))].join(' ');
  const asItIs = use(words[at] ?? '');
  const around = [
    `if true; then ${asItIs}; fi`,
    `set -e; ${asItIs} & wait`,
    `{ ${asItIs}; } < in.txt`,
    `(${asItIs}) 2>&1 | head -3`,
    `[[ -f in.txt && a == a ]] && ${asItIs}`,
    `until ${asItIs}; do break; done`,
    `for v in a b; do ${asItIs} $v; done`,
  ];
  if (hidden === undefined) return random.pick(around);
  const inVariable = random.pick(['"$v"', '$v', '"${v}"', '${v}', `"$v"''`]) + rest;
  return random.pick([
    ...around,
    `v=${hidden}; ${use(inVariable)}`,
    `v=${hidden} && ${use(inVariable)}`,
    `for v in ${random.pick(['in.txt ', ''])}${hidden}; do ${use(inVariable)}; done`,
    `for v in $(echo ${hidden}); do ${use(inVariable)}; done`,
    use(`"$(echo ${hidden})"${rest}`),
    use(`$(echo ${hidden})${rest}`),
    `echo ${hidden} | while read -r v; do ${use(inVariable)}; done`,
    `while read -r v; do ${use(inVariable)}; done <<< ${hidden}`,
    `if [ -f in.txt ]; then v=${hidden}; ${use(inVariable)}; fi`,
    `v=x; v=${hidden}; ${use(inVariable)}`,
    `for v in x; do v=${hidden}; ${use(inVariable)}; done`,
    `for v in x ${hidden}; do :; done; ${use(inVariable)}`,
    `false && v=in.txt; v=${hidden}; ${use(inVariable)}`,
  ]);
}

function harmless(random: Dice, program: RealProgram): string {
  const { flags = '', values = {}, long = [], longValues = {}, words = [] } = program;
  const kinds: (() => string)[] = [];
  if (flags) kinds.push(() => `-${cluster(random, flags)}`);
  if (Object.keys(values).length > 0)
    kinds.push(() => withValue(random, program, random.pick(Object.keys(values)), values));
  if (long.length > 0) kinds.push(() => `--${random.pick(long)}`);
  if (Object.keys(longValues).length > 0)
    kinds.push(() => longWithValue(random, random.pick(Object.keys(longValues)), longValues));
  if (words.length > 0) kinds.push(() => random.pick(words));
  return kinds.length === 0 ? '' : random.pick(kinds)();
}

function harm(random: Dice, program: RealProgram): { text: string } | undefined {
  const { flags = '', values = {}, long = [], longValues = {}, words = [] } = program.harm;
  const kinds: (() => string)[] = [];
  const before = () => cluster(random, program.flags ?? '', random.below(3));
  if (flags) kinds.push(() => `-${before()}${random.pick([...flags])}`);
  if (Object.keys(values).length > 0) {
    kinds.push(() => withValue(random, program, random.pick(Object.keys(values)), values));
  }
  if (long.length > 0) kinds.push(() => cut(random, program, random.pick(long)));
  if (Object.keys(longValues).length > 0) {
    kinds.push(() => {
      const name = random.pick(Object.keys(longValues));
      return longWithValue(random, name, longValues, (full) => cut(random, program, full));
    });
  }
  if (words.length > 0) kinds.push(() => random.pick(words));
  return kinds.length === 0 ? undefined : { text: random.pick(kinds)() };
}

/** `-k2`, `-k 2`, `-rnk2`. */
function withValue(random: Dice, program: RealProgram, letter: string, values: Record<string, string[]>): string {
  const flags = cluster(random, program.flags ?? '', random.below(3));
  return `-${flags}${letter}${random.pick(['', ' '])}${random.pick(values[letter]!)}`;
}

function longWithValue(
  random: Dice,
  name: string,
  values: Record<string, string[]>,
  shorten: (name: string) => string = (full) => `--${full}`,
): string {
  return `${shorten(name)}${random.pick(['=', ' '])}${random.pick(values[name]!)}`;
}

/** `--outp` for `--output` if the program accepts abbreviations, down to the shortest unambiguous one. */
function cut(random: Dice, program: RealProgram, name: string): string {
  const [, word = name, rest = ''] = /^([\w.-]+)(.*)$/s.exec(name) ?? [];
  if (!program.shortens || random.chance(0.6)) return `--${name}`;
  const others = [...(program.long ?? []), ...Object.keys(program.longValues ?? {})];
  const all = [...others, ...(program.harm.long ?? []), ...Object.keys(program.harm.longValues ?? {})];
  const unique = Array.from({ length: word.length }, (_, at) => word.slice(0, at + 1)).filter(
    (start) => start.length > 2 && all.filter((each) => each.startsWith(start)).length === 1,
  );
  return unique.length === 0 ? `--${name}` : `--${random.pick(unique)}${rest}`;
}

function cluster(random: Dice, letters: string, count = 1 + random.below(3)): string {
  return letters === '' ? '' : Array.from({ length: count }, () => random.pick([...letters])).join('');
}

function cook(random: Dice, soup: string[]): string {
  const script = Array.from({ length: 1 + random.below(9) }, () => random.pick(soup)).join('');
  return `'${script.replaceAll("'", `'\\''`)}' in.txt`;
}

/** Words that change the meaning of the words around them. */
function traps(random: Dice, { values = {}, harm: { values: bad = {} } }: RealProgram): string[] {
  const lone = [...Object.keys(values), ...Object.keys(bad)].map((letter) => `-${letter}`);
  const junk = `-${Array.from({ length: 1 + random.below(4) }, () => random.pick(LETTERS)).join('')}`;
  return ['--', '--', junk, junk, '-', ...lone, ...lone.map((option) => `${option} --`), '-*', '-d*', '--o*'];
}

/** The same shell word, spelled differently. */
function disguise(random: Dice, word: string): string {
  if (!random.chance(0.15) || /['"\\$`*?{]/.test(word)) return word;
  const [first = '', ...rest] = word.split(' ');
  const dressed = random.pick([
    `'${first}'`,
    `"${first}"`,
    `\\${first}`,
    `${first.slice(0, 1)}""${first.slice(1)}`,
    `$'${first}'`,
    `${first.slice(0, 2)}\\\n${first.slice(2)}`,
    ...(rest.length > 0 ? [`{${[first, ...rest].join(',')}}`] : []),
  ]);
  return dressed.startsWith('{') ? dressed : [dressed, ...rest].join(' ');
}

function shuffled(random: Dice, words: string[]): string[] {
  const left = [...words];
  return words.map(() => left.splice(random.below(left.length), 1)[0]!);
}
