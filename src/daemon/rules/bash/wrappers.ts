import { isKnown, UNKNOWN } from '../marks.ts';

interface Options {
  /** Short and long options that stand alone. */
  flags?: string;
  long?: string[];
  /** Those that take a value, joined (`-n5`, `--signal=KILL`) or as the next word. */
  values?: string;
  longValues?: string[];
  /** Words between the options and the command. */
  operands?: number;
  /** `NAME=value` before the command. */
  assigns?: true;
}

/** Programs that run another command as it is: what counts is that command. */
const WRAPPERS: Record<string, Options> = {
  timeout: {
    flags: 'fpv',
    long: ['foreground', 'preserve-status', 'verbose'],
    values: 'ks',
    longValues: ['kill-after', 'signal'],
    operands: 1,
  },
  nice: { flags: '0123456789', values: 'n', longValues: ['adjustment'] },
  nohup: {},
  stdbuf: { values: 'ioe', longValues: ['input', 'output', 'error'] },
  time: { flags: 'p' },
  env: { flags: 'i', long: ['ignore-environment'], values: 'u', longValues: ['unset'], assigns: true },
  command: { flags: 'p' },
  builtin: {},
  exec: {},
};

/** These run a command too, but not just as it is: with more rights, on other words, in another place. */
const RUNNERS: Record<string, Options> = {
  sudo: {
    flags: 'ABbEeHiklnPSsVv',
    long: ['background', 'preserve-env', 'login', 'non-interactive', 'stdin', 'shell', 'set-home'],
    values: 'CDghpRrTtUu',
    longValues: ['chdir', 'group', 'host', 'prompt', 'user', 'other-user', 'preserve-env', 'role', 'type'],
    assigns: true,
  },
  doas: { flags: 'Lns', values: 'aCu' },
  xargs: {
    flags: '0oprtx',
    long: ['null', 'no-run-if-empty', 'verbose', 'interactive', 'exit', 'open-tty'],
    values: 'adEILnPs',
    longValues: ['arg-file', 'delimiter', 'max-args', 'max-procs', 'max-lines', 'max-chars', 'replace'],
  },
  setsid: { flags: 'cfw', long: ['ctty', 'fork', 'wait'] },
  ionice: { flags: 't', values: 'cn', longValues: ['class', 'classdata'] },
  caffeinate: { flags: 'disu', values: 't' },
  watch: { flags: 'bcdegtx', long: ['differences', 'no-title', 'color'], values: 'n', longValues: ['interval'] },
  npx: { flags: 'yq', long: ['yes', 'no-install'], values: 'p', longValues: ['package'] },
};

const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash', 'rbash', 'mksh', 'fish', 'csh', 'tcsh']);

export function isShell(name: string): boolean {
  return SHELLS.has(baseName(name));
}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

export type Unwrapped =
  | { inner: string[]; assignments: { name: string; value: string }[] }
  | { script: string }
  | { unprovable: string };

/** One layer off a command, if it is a wrapper used in a way that is fully understood. undefined: it is no wrapper. */
export function unwrap(words: string[]): Unwrapped | undefined {
  const [name] = words;
  if (name === undefined) return undefined;
  if (isShell(name)) return unwrapShell(words);
  const options = Object.hasOwn(WRAPPERS, name) ? WRAPPERS[name] : undefined;
  if (!options || words.length === 1) return undefined;
  // asks where a command is, and runs nothing
  if (name === 'command' && /^-p?[vV]/.test(words[1]!)) return undefined;
  const found = skipOptions(words, options);
  if (!found) return { unprovable: `\`${name}\` is used in an unusual way` };
  return found.at === words.length ? undefined : { inner: words.slice(found.at), assignments: found.assignments };
}

/** The command inside a wrapper or runner, where its options are understood; undefined where they are not. */
export function innerOf(words: string[]): string[] | undefined {
  const name = baseName(words[0] ?? '').toLowerCase();
  const options = [WRAPPERS, RUNNERS].find((table) => Object.hasOwn(table, name))?.[name];
  const found = options && skipOptions(words, options);
  return found && found.at < words.length && isKnown(words[found.at]!) ? words.slice(found.at) : undefined;
}

/** `bash -c '…'` is its script; a script file is a program like any other; anything else stays closed. */
function unwrapShell(words: string[]): Unwrapped | undefined {
  const [name, option, script] = words;
  if (option === undefined) return { unprovable: `\`${name}\` takes its commands from elsewhere` };
  if (!option.startsWith('-') && isKnown(option)) return undefined;
  if (name!.includes('/') || !/^-[eu]*c$/.test(option) || script === undefined || !isKnown(script)) {
    return { unprovable: `\`${name} ${option.replaceAll(UNKNOWN, '…')}\` is a shell in the shell` };
  }
  return { script };
}

function skipOptions(words: string[], options: Options) {
  const { flags = '', long = [], values = '', longValues = [], operands = 0, assigns } = options;
  const assignments: { name: string; value: string }[] = [];
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (!isKnown(word)) break;
    if (word === '--') {
      at++;
      break;
    }
    if (word === '-' && assigns) continue;
    if (!word.startsWith('-') || word === '-') break;
    if (word.startsWith('--')) {
      const [option = '', value] = word.slice(2).split('=', 2);
      if (longValues.includes(option)) at += value === undefined ? 1 : 0;
      else if (!long.includes(option) || value !== undefined) return undefined;
      continue;
    }
    const end = [...word.slice(1)].findIndex((letter) => !flags.includes(letter));
    if (end === -1) continue;
    if (!values.includes(word[end + 1]!)) return undefined;
    if (end + 2 === word.length) at++;
  }
  for (; assigns && at < words.length; at++) {
    const [, name, value] = /^([^=]+)=(.*)$/s.exec(words[at]!) ?? [];
    if (name === undefined) break;
    assignments.push({ name, value: value ?? '' });
  }
  for (let count = 0; count < operands; count++) if (!isKnown(words[at++] ?? '')) return undefined;
  return at <= words.length && words.slice(0, at).every(isKnown) ? { at, assignments } : undefined;
}
