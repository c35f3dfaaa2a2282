import { GAP, OPTION, WORD_BREAK } from '../marks.ts';
import { readLevels } from './levels.ts';
import type { Program } from './program.ts';
import { programNamed } from './table.ts';

/** Options with a letter and a name, where operators write one and agents the other. */
const NAMES: Record<string, string> = {
  rm: 'f force r recursive R recursive v verbose i interactive d dir',
  cp: 'f force r recursive R recursive a archive v verbose',
  mv: 'f force v verbose n no-clobber',
  chmod: 'R recursive v verbose f silent',
  chown: 'R recursive v verbose',
  'git push': 'f force u set-upstream n dry-run d delete',
  'git commit': 'a all m message n no-verify s signoff',
  'git clean': 'f force n dry-run i interactive q quiet',
  'git checkout': 'f force',
  'git branch': 'd delete f force m move',
  'git tag': 'd delete f force',
  'git reset': 'q quiet',
  'git rebase': 'i interactive x exec',
  'git stash': 'u include-untracked a all',
  'git add': 'A all f force u update',
  'docker rm': 'f force v volumes',
  'docker rmi': 'f force',
  'docker run': 'v volume d detach e env p publish',
  'docker exec': 'd detach e env u user',
  'docker system prune': 'a all f force',
  'docker compose down': 'v volumes t timeout',
  'docker compose up': 'd detach',
  'npm install': 'g global D save-dev f force',
  curl: 'X request d data o output O remote-name T upload-file F form L location k insecure',
  wget: 'O output-document P directory-prefix',
  'pip install': 'U upgrade t target i index-url r requirement e editable',
  'apt install': 'y yes',
  'kubectl delete': 'f filename l selector n namespace A all-namespaces',
  'kubectl apply': 'f filename k kustomize',
};
const LONG = new Map(
  Object.entries(NAMES).map(([path, list]) => {
    const parts = list.split(' ');
    const pairs = parts.flatMap((letter, at) => (at % 2 === 0 ? [[`-${letter}`, `--${parts[at + 1]}`] as const] : []));
    return [path, new Map(pairs)] as const;
  }),
);

interface InFull {
  /** The program and its subcommands. */
  path: string[];
  /** Each option with its value, sorted by name. */
  options: string[][];
  operands: string[];
}

const MAX_OPTIONS = 20;
/** An unknown program's letters are treated as flags. */
const NOT_KNOWN: Program = { others: 'plain' };

/**
 * A command with its options separated, under their long names and in a fixed order, so `rm -fr x` and `rm x --recursive -f` are the same
 * text. undefined if there are no options, or they can't be determined.
 */
export function inFull(words: string[]): string | undefined {
  const read = readInFull(words);
  if (!read) return undefined;
  const options = read.options.flatMap(([name, ...value]) => [`${OPTION}${name}${OPTION}`, ...value]);
  return [...read.path, ...options, ...read.operands].join(WORD_BREAK);
}

/**
 * A pattern's words in the same order, with GAP for its wildcards: other options may come between. A `*` right after an option (`--force*`)
 * also matches the rest of its name.
 */
export function patternInFull(words: string[]): string | undefined {
  const read = readInFull(words);
  if (!read || [...read.path, ...read.options.flat()].some((word) => word.slice(0, -1).includes(GAP))) return undefined;
  const hasGap = words.some((word) => word.includes(GAP));
  const between = hasGap ? GAP : '';
  const options = read.options.map(([name = '', ...value]) => {
    const isOpen = name.endsWith(GAP);
    return between + [`${OPTION}${name}${isOpen ? '' : OPTION}`, ...value].join(WORD_BREAK);
  });
  const operands = read.operands.filter((word) => word !== GAP).map((word) => `${between}${WORD_BREAK}${word}`);
  const isOpen = words.includes(GAP) || words.at(-1)!.endsWith(GAP);
  return (
    [...read.path, options.join(hasGap ? '' : WORD_BREAK)].join(WORD_BREAK) + operands.join('') + (isOpen ? GAP : '')
  );
}

function readInFull(words: string[]): InFull | undefined {
  const [name = ''] = words;
  const path = [name];
  const given: string[][] = [];
  let operands: string[] = [];
  for (const { read, next } of readLevels(words, 0, programNamed(name) ?? NOT_KNOWN)) {
    if (read.unsure.length > 0) return undefined;
    for (const { name: option, value } of read.options) given.push([option, ...(value === undefined ? [] : [value])]);
    if (next === undefined) operands = read.operands.map((at) => words[at]!);
    else path.push(words[next]!);
  }
  if (given.length === 0 || given.length > MAX_OPTIONS) return undefined;
  const long = longNames([...path, ...operands]);
  const options = given.map(([option, ...value]) => [long?.get(option!) ?? option!, ...value]);
  return { path, options: options.sort(([a], [b]) => (a! < b! ? -1 : 1)), operands };
}

function longNames(words: string[]): Map<string, string> | undefined {
  for (let count = 3; count > 0; count--) {
    const found = LONG.get(words.slice(0, count).join(' '));
    if (found) return found;
  }
  return undefined;
}
