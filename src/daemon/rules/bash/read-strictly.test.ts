// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the language here is the shell's
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOUND, OWN_PROCESS, SOME_NUMBER, THIS_FOLDER, UNKNOWN, UNKNOWN_WORD } from '../marks.ts';
import { readStrictly } from './read-strictly.ts';
import type { StrictCommand } from './simple-command.ts';

const PIECES = [
  ...[
    'npm',
    'git',
    'x',
    'npm run a',
    'git b',
    'a',
    '1',
    '-',
    '--',
    '-c',
    ',',
    '..',
    '^',
    '%',
    '@',
    '+',
    'E',
    '~',
    '=x',
  ],
  ...["'a b'", '"c d"', "a'b'c", 'a"b"c', '\\', "'", '"', '`', '$', '$(', "$'", '\\x41', '$x', '"$"', '"a$ b"', "'\\'"],
  ...['\\;', '\\ ', '\\$', '\\"', '"\\$"', '"\\\\"', '\\\n', ' ', ' ', ' ', ' ', '\t', '\n', ' # c\n', '#', '#x'],
  ...['(', ')', '{', '}', '{ ', '; }', '()', '((', '))', '[[ ', ' ]]', '[', ']', '[a]', 'a[', '*', '?', '{a,b}', '{}'],
  ...[';', '&', '|', '&&', '||', '|&', ';;', '; git ', '&& npm ', '| git ', '\n npm ', '!', '! ', '!x', 'A=1', 'CI=1'],
  ...['<', '>', '>>', '2>', '2>&1', '>&', '&>', '/dev/null', '>/dev/null', '</dev/null', '<<', '>|', '3>&1', '<&-'],
  ...[
    'for y in a b; do ',
    '; done',
    'while ',
    'until ',
    'if npm; then ',
    '; fi',
    '; else ',
    '; do ',
    '$y',
    '"$y"',
    '${y}',
    'y=a',
    'y=1; ',
  ],
  ...[
    '$(git b)',
    '"$(git b)"',
    'npm "$(',
    ')"',
    '[ -f a ]',
    '[[ a == b ]]',
    '[[ $y != a && -d b ]]; ',
    '<(git b)',
    'read y; ',
    '< /dev/null',
  ],
  ...[
    '{1..3}',
    'git $?',
    'x $((1 + 2)) ',
    'for y in {1..2}; do git "$y" ',
    'for y in $(git b); do npm "$y" ',
    '"${y%a}"',
    '$(',
    '<<< a ',
  ],
  ...[
    'git "$y $y" ',
    '~a ',
    'git $! ',
    'PID=$!; npm $PID ',
    '"${PIPESTATUS[0]}" ',
    'git "$PWD" ',
    'x $PWD ',
    '! ',
    '3<<A\nb\nA\n',
  ],
  ...['time ', 'if ', 'then ', 'fi', 'do ', 'done', 'case ', 'in ', 'esac', 'for ', 'function ', 'coproc '],
];

const script = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', '', ' ')), { minLength: 1, maxLength: 10 })
  .map((pieces) => pieces.flat().join(''));

const SHELLS = [
  {
    name: 'bash',
    path: '/bin/bash',
    args: ['--norc', '--noprofile'],
    missing: 'command_not_found_handle',
    runs: 15_000,
  },
  { name: 'zsh', path: '/usr/bin/zsh', args: ['-f'], missing: 'command_not_found_handler', runs: 5000 },
];

/** Runs scripts in a real shell, in which every program is a function that notes how it was called. */
function whatRuns(
  shell: (typeof SHELLS)[number],
  scripts: string[],
  status: 0 | 1,
): { called: string[][][]; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'rules-bash-'));
  const cwd = join(folder, 'cwd');
  mkdirSync(cwd);
  const limit = '[ $((C += 1)) -gt 20 ] && exit';
  const note = `note() { ${limit}; local IFS=$'\\x1f'; printf '%s\\x1f%s\\x1e' "$N" "$*" >&9; return ${status}; }`;
  const programs = ['npm', 'git', 'x', 'a', 'E'].map((name) => `${name}() { note ${name} "$@"; }`);
  const loop =
    'N=0; while IFS= read -r -d "" s; do ( C=0; ulimit -t 1; eval "$s" ) </dev/null >/dev/null 2>&1; N=$((N+1)); done';
  const driver = [`exec 9>${folder}/log`, note, ...programs, `${shell.missing}() { note "$@"; }`, loop].join('\n');
  writeFileSync(join(folder, 'driver.sh'), driver);
  spawnSync(shell.path, [...shell.args, join(folder, 'driver.sh')], {
    cwd,
    input: scripts.map((each) => `${each}\0`).join(''),
    env: { PATH: '/nowhere', HOME: '/home/op' },
  });
  const called: string[][][] = scripts.map(() => []);
  for (const record of readFileSync(join(folder, 'log'), 'utf8').split('\x1e').slice(0, -1)) {
    const [index, ...words] = record.split('\x1f');
    called[Number(index)]?.push(words);
  }
  const files = readdirSync(cwd);
  rmSync(folder, { recursive: true, force: true });
  return { called, files };
}

const WHOLE = new RegExp(`[${UNKNOWN}${FOUND}]`, 'g');
const SPLIT = new RegExp(`\x1f?[${UNKNOWN}${FOUND}]`, 'g');

function isReadAs(called: string[], { words, runs = [words], splits }: StrictCommand): boolean {
  const text = called.join('\x1f').replaceAll('/home/op', '~');
  return runs.some((read) => {
    const shape = read
      .join('\x1f')
      .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
      .replaceAll(SOME_NUMBER, '\\d+')
      // where nothing was started, it is no word at all
      .replaceAll(`\x1f${OWN_PROCESS}`, '(?:\x1f\\d*)?')
      .replaceAll(OWN_PROCESS, '\\d*')
      .replaceAll(THIS_FOLDER, '/[\\w./-]*')
      .replaceAll(UNKNOWN_WORD, UNKNOWN)
      .replaceAll('/dev/fd/63', '(?:/dev|/proc/self)/fd/\\d+')
      .replace(splits ? SPLIT : WHOLE, splits ? '[^]*' : '[^\x1f]*');
    return new RegExp(`^${shape}$`).test(text);
  });
}

describe('the strict reader', () => {
  it.each(SHELLS.filter(({ path }) => existsSync(path)))(
    'reads every command that $name runs, and it touches no file',
    (shell) => {
      const scripts = fc.sample(script, { numRuns: shell.runs, seed: Number(process.env.STRICT_SEED ?? 7) });
      const readings = scripts.flatMap((text) => {
        const { commands } = readStrictly(text) as { commands?: StrictCommand[] };
        return commands ? [{ text, commands }] : [];
      });
      expect(readings.length).toBeGreaterThan(shell.runs / 10);
      for (const status of [0, 1] as const) {
        const { called, files } = whatRuns(
          shell,
          readings.map(({ text }) => text),
          status,
        );
        expect(files).toEqual([]);
        expect(called.flat().length).toBeGreaterThan(shell.runs / 20);
        const unread = readings.flatMap(({ text, commands }, index) =>
          called[index]!.filter((words) => !commands.some((command) => isReadAs(words, command))).map((words) => ({
            text,
            words,
          })),
        );
        expect(unread).toEqual([]);
      }
    },
  );

  const quotings: ((word: string) => string)[] = [
    (word) => `'${word.replaceAll("'", `'\\''`)}'`,
    (word) => `"${word.replace(/[\\"$`]/g, '\\$&')}"`,
    (word) => (word === '' ? "''" : word.replace(/[^\w\n]/g, '\\$&').replaceAll('\n', "'\n'")),
    (word) => [...word].map((char) => (char === "'" ? '"\'"' : `'${char}'`)).join('') || '""',
  ];
  const words = fc.array(fc.string({ unit: fc.constantFrom(...'ab -;|&<>(){}$`"\'\\*?[]#!~=\n') }), {
    minLength: 1,
    maxLength: 4,
  });

  it('resolves any style of quotes to the quoted words', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), (each, styles) => {
        const text = ['x', ...each.map((word, at) => quotings[styles[at]!]!(word))].join(' ');
        expect(readStrictly(text)).toEqual({ commands: [{ words: ['x', ...each], assignments: [] }] });
      }),
      { numRuns: 2000 },
    );
  });
});
