import type { Effect, Program } from './program.ts';

export interface Option {
  name: string;
  effect: Effect | 'plain';
  takes: 'nothing' | 'value' | 'attached';
}

/** A program's option lists, parsed once. */
export interface Options {
  find(name: string): Option | undefined;
  hasNumbers: boolean;
  /** Names of the options a wildcard doesn't cover. */
  risky: string[];
}

const KINDS = ['plain', 'runs', 'writes', 'deletes', 'moves'] as const;
const UNIVERSAL = '--help --version';
const known = { letters: new WeakMap<Program, Options>(), words: new WeakMap<Program, Options>() };

/** `words`: a single dash starts a whole name (`-name`), not letters. */
export function optionsOf(program: Program, kind: 'letters' | 'words'): Options {
  const found = known[kind].get(program);
  if (found) return found;
  const made = compile(program, kind);
  known[kind].set(program, made);
  return made;
}

function compile(program: Program, kind: 'letters' | 'words'): Options {
  const byName = new Map<string, Option>();
  const prefixes: Option[] = [];
  const add = (option: Option) => byName.set(option.name, option);
  for (const effect of KINDS) {
    const list = `${effect === 'plain' ? `${UNIVERSAL} ` : ''}${program[effect] ?? ''}`;
    for (const token of list.split(/\s+/)) if (token !== '') addToken(token, effect);
  }
  return {
    find: (name) => byName.get(name) ?? prefixes.find((option) => name.startsWith(option.name)),
    hasNumbers: byName.has('-#'),
    risky: [...byName.values(), ...prefixes].filter(({ effect }) => effect !== 'plain').map(({ name }) => name),
  };

  function addToken(token: string, effect: Effect | 'plain'): void {
    if (token.endsWith('*')) return void prefixes.push({ name: token.slice(0, -1), effect, takes: 'attached' });
    const [, body = token, mark = ''] = /^(.*?)([:=?])?$/.exec(token) ?? [];
    const takes = mark === '' ? 'nothing' : mark === '?' ? 'attached' : 'value';
    if (body.startsWith('--[no-]')) {
      add({ name: `--${body.slice(7)}`, effect, takes });
      add({ name: `--no-${body.slice(7)}`, effect, takes: 'nothing' });
      return;
    }
    if (body.startsWith('--') || kind === 'words') return void add({ name: body, effect, takes });
    const letters = [...body.slice(1)];
    const last = letters.pop();
    for (const letter of letters) add({ name: `-${letter}`, effect, takes: 'nothing' });
    add({ name: `-${last}`, effect, takes });
  }
}
