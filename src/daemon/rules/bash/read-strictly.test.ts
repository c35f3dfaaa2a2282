import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FOUND } from '../marks.ts';
import { readStrictly } from './read-strictly.ts';

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
  ...['time ', 'if ', 'then ', 'fi', 'do ', 'done', 'case ', 'in ', 'esac', 'for ', 'function ', 'coproc '],
];

const script = fc
  .array(fc.tuple(fc.constantFrom(...PIECES), fc.constantFrom('', '', ' ')), { minLength: 1, maxLength: 10 })
  .map((pieces) => pieces.flat().join(''));

/** Runs scripts in a real bash where every program is a function that records how it was called. */
function whatBashRuns(scripts: string[], status: 0 | 1): { called: string[][][]; files: string[] } {
  const folder = mkdtempSync(join(tmpdir(), 'rules-bash-'));
  const cwd = join(folder, 'cwd');
  mkdirSync(cwd);
  const note = `note() { local IFS=$'\\x1f'; printf '%s\\x1f%s\\x1e' "$N" "$*" >&9; return ${status}; }`;
  const programs = ['npm', 'git', 'x', 'a', 'E'].map((name) => `${name}() { note ${name} "$@"; }`);
  const loop = 'N=0; while IFS= read -r -d "" s; do ( eval "$s" ) </dev/null >/dev/null 2>&1; N=$((N+1)); done';
  const driver = [`exec 9>${folder}/log`, note, ...programs, 'command_not_found_handle() { note "$@"; }', loop].join(
    '\n',
  );
  writeFileSync(join(folder, 'driver.sh'), driver);
  spawnSync('/bin/bash', ['--norc', '--noprofile', join(folder, 'driver.sh')], {
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

function isReadAs(words: string[], read: string[]): boolean {
  const parts = read.join('\x1f').split(FOUND);
  const text = words.join('\x1f').replaceAll('/home/op', '~');
  if (parts.length === 1) return text === parts[0];
  return text.startsWith(parts[0]!) && text.endsWith(parts.at(-1)!);
}

describe('the strict reader', () => {
  it('reads every command that bash runs, and bash touches no file', () => {
    const scripts = fc.sample(script, { numRuns: 15_000, seed: 7 });
    const readings = scripts.flatMap((text) => {
      const { commands } = readStrictly(text) as { commands?: { words: string[] }[] };
      return commands ? [{ text, commands }] : [];
    });
    expect(readings.length).toBeGreaterThan(1500);
    for (const status of [0, 1] as const) {
      const { called, files } = whatBashRuns(
        readings.map(({ text }) => text),
        status,
      );
      expect(files).toEqual([]);
      expect(called.flat().length).toBeGreaterThan(800);
      const unread = readings.flatMap(({ text, commands }, index) =>
        called[index]!.filter((words) => !commands.some((command) => isReadAs(words, command.words))).map((words) => ({
          text,
          words,
        })),
      );
      expect(unread).toEqual([]);
    }
  });

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

  it('resolves quotes to the words that were quoted, in any style', () => {
    fc.assert(
      fc.property(words, fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }), (each, styles) => {
        const text = ['x', ...each.map((word, at) => quotings[styles[at]!]!(word))].join(' ');
        expect(readStrictly(text)).toEqual({ commands: [{ words: ['x', ...each], assignments: [] }] });
      }),
      { numRuns: 2000 },
    );
  });
});
