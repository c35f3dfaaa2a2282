import { isKnown, UNKNOWN } from '../marks.ts';
import { innerCommand } from '../programs/inner-command.ts';
import { readArguments } from '../programs/read-arguments.ts';
import { programNamed } from '../programs/table.ts';

const SHELLS = new Set(['bash', 'sh', 'dash', 'zsh', 'ksh', 'ash', 'rbash', 'mksh', 'fish', 'csh', 'tcsh']);

export function isShell(name: string): boolean {
  return SHELLS.has(name.slice(name.lastIndexOf('/') + 1));
}

export type Unwrapped =
  | { inner: string[]; assignments: { name: string; value: string }[] }
  | { script: string }
  | { unprovable: string };

/** Removes one layer from a command, if it is a wrapper used in a way we fully understand. undefined: not a wrapper. */
export function unwrap(words: string[]): Unwrapped | undefined {
  const [name] = words;
  if (name === undefined) return undefined;
  if (isShell(name)) return unwrapShell(words);
  // under a path it may be any program
  const program = name.includes('/') ? undefined : programNamed(name);
  if (!program?.launch?.transparent || words.length === 1) return undefined;
  // asks where a command is, and runs nothing
  if (name === 'command' && /^-p?[vV]/.test(words[1]!)) return undefined;
  const read = readArguments(words, 1, { chain: [program], manner: {}, ordered: true });
  const isOdd = read.unsure.length > 0 || read.options.some(({ option }) => option?.effect !== 'plain');
  const inner = innerCommand(program.launch, read, words);
  const before = read.operands.filter((at) => inner === undefined || at < inner.at).map((at) => words[at]!);
  if (isOdd || !before.every(isKnown)) return { unprovable: `\`${name}\` is used in an unusual way` };
  if (!inner) return undefined;
  const assignments = (program.launch.assigns ? before : []).flatMap((word) => {
    const [, variable, value = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    return variable === undefined ? [] : [{ name: variable, value }];
  });
  return { inner: words.slice(inner.at), assignments };
}

/** `bash -c '…'` is its script; a script file is a program like any other; anything else stays closed. */
function unwrapShell(words: string[]): Unwrapped | undefined {
  const [name, option, script] = words;
  if (option === undefined) return { unprovable: `\`${name}\` reads its commands from somewhere else` };
  if (/^\/dev\/|^\/proc\//.test(option)) return { unprovable: `\`${name}\` reads its commands from somewhere else` };
  if (!option.startsWith('-') && isKnown(option)) return undefined;
  // reads the script without running it
  const isCheck = option === '-n' && words.length > 2 && words.slice(2).every((word) => /^[\w./]/.test(word));
  if (isCheck && !name!.includes('/')) return undefined;
  if (name!.includes('/') || !/^-[eu]*c$/.test(option) || script === undefined || !isKnown(script)) {
    return { unprovable: `\`${name} ${option.replaceAll(UNKNOWN, '…')}\` is a shell in the shell` };
  }
  return { script };
}
