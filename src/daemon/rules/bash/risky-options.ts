import { isKnown } from '../marks.ts';
import { baseName } from './wrappers.ts';

interface Risk {
  /** Short options by letter, also inside a cluster (`-xo`). */
  short?: string;
  /** Long options; a prefix of one counts too, since many programs complete it. */
  long?: string[];
  /** Other words. */
  words?: RegExp;
}

const COMPUTED = /[$`]/;

/** Options that make an ordinary program run another one, or write or read where it is not expected to. */
const RISKS: Record<string, Risk> = {
  find: { words: /^-(delete|fprint|fprint0|fprintf|fls|files0-from|exec|execdir|ok|okdir)$/ },
  fd: { short: 'xX', long: ['exec', 'exec-batch'] },
  rg: { long: ['pre', 'hostname-bin'] },
  sort: { short: 'oT', long: ['output', 'compress-program', 'temporary-directory'] },
  tree: { short: 'o' },
  date: { short: 's', long: ['set'] },
  file: { short: 'C', long: ['compile'] },
  tar: {
    short: 'IF',
    long: [
      'to-command',
      'checkpoint-action',
      'use-compress-program',
      'rsh-command',
      'info-script',
      'new-volume-script',
    ],
  },
  awk: { short: 'fiElo', long: ['file', 'include', 'exec', 'load'], words: /system|getline|@load|[|>]/ },
  npm: {
    short: 'C',
    long: ['prefix', 'script-shell', 'shell', 'node-options', 'userconfig', 'globalconfig', 'global', 'location'],
  },
  pnpm: { short: 'C', long: ['dir', 'script-shell', 'shell-emulator', 'node-options', 'prefix', 'global'] },
  yarn: { long: ['cwd', 'script-shell', 'use-yarnrc', 'rc'] },
  bun: { short: 'r', long: ['cwd', 'preload', 'config', 'shell', 'eval', 'print'] },
  make: { short: 'fCIE', long: ['file', 'makefile', 'directory', 'include-dir', 'eval'], words: /^[\w.]+[:?+!]*=/ },
  cargo: { short: 'CZ', long: ['config', 'manifest-path'] },
  go: { words: /^--?(exec|toolexec|modfile|overlay|vettool|C|o|outputdir|[a-z]*profile|trace|ldflags|gcflags)(=|$)/ },
  pytest: { short: 'pco', long: ['rootdir', 'confcutdir', 'override-ini', 'basetemp', 'junitxml', 'pastebin'] },
  jest: { short: 'c', long: ['config', 'globalSetup', 'setupFiles', 'runner', 'testRunner', 'rootDir', 'transform'] },
  vitest: { short: 'cr', long: ['config', 'root', 'dir', 'globalSetup', 'outputFile'] },
  eslint: {
    short: 'co',
    long: ['config', 'rulesdir', 'plugin', 'output-file', 'parser', 'resolve-plugins-relative-to'],
  },
  prettier: { long: ['config', 'plugin', 'write'] },
  shuf: { short: 'o', long: ['output'] },
  iconv: { short: 'o', long: ['output'] },
  yq: { short: 'is', long: ['inplace', 'split-exp'] },
  man: { short: 'PHB', long: ['pager', 'html', 'browser'] },
  less: { short: 'oOkP', long: ['log-file', 'lesskey'], words: /^\+/ },
  // an index is computed, and `a[$(…)]` runs what is in it: bash does so for -v, zsh for every number
  printf: { short: 'v', words: COMPUTED },
  test: { words: /^-[vR]$|[$`]/ },
  '[': { words: /^-[vR]$|[$`]/ },
  exit: { words: COMPUTED },
  return: { words: COMPUTED },
  shift: { words: COMPUTED },
  break: { words: COMPUTED },
  continue: { words: COMPUTED },
  kill: { words: COMPUTED },
  ulimit: { words: COMPUTED },
};
/** Their second argument is a file they write. */
const WRITES_SECOND = new Set(['uniq', 'xxd']);

const GIT_HARMLESS = new Set(['--no-pager', '-P', '--no-optional-locks', '--literal-pathspecs', '--version', '--help']);
const GIT_RUNNERS = new Set(
  (
    'bisect submodule filter-branch config difftool mergetool hook for-each-repo daemon instaweb credential send-email ' +
    'shell maintenance fast-import remote-ext'
  ).split(' '),
);
const GIT_SHORT: Record<string, string> = {
  grep: 'O',
  diff: 'O',
  log: 'O',
  show: 'O',
  rebase: 'xi',
  clone: 'cu',
  archive: 'o',
};
const GIT_LONG =
  'output output-directory ext-diff textconv open-files-in-pager upload-pack receive-pack exec extcmd config template no-index'.split(
    ' ',
  );

const SED: Risk = { short: 'if', long: ['in-place', 'file'] };
/** One address with p, d, q or =, or one s/// without the flags that write or execute. */
const PLAIN_SED =
  /^(\d+|\$)?(,(\d+|\$))?[pdq=]$|^s([^\w\s\\])(?:(?!\4)[^\\\n]|\\.)*\4(?:(?!\4)[^\\\n]|\\.)*\4[gpIi\d]*$/;

/**
 * What in this command a `*` does not cover: a pattern has to spell it out. So `find *` is not `find . -delete`,
 * and `git log *` is not `git log --output=…`. Going root has to be spelled out too.
 */
export function mustBeSpelled(words: string[]): string[] {
  const [name = '', ...rest] = words;
  const program = baseName(name).replace(/^[gmn]?awk$/, 'awk');
  if (program === 'sudo' || program === 'doas') return [name];
  if (program === 'git') return gitRisks(rest);
  if (program === 'sed') return [...risks(rest, SED), ...sedScripts(rest).filter((script) => !PLAIN_SED.test(script))];
  if (WRITES_SECOND.has(program)) return rest.filter((word) => !word.startsWith('-')).slice(1);
  const risk = Object.hasOwn(RISKS, program) ? RISKS[program] : undefined;
  return risk ? risks(rest, risk) : [];
}

function risks(words: string[], { short = '', long = [], words: others }: Risk): string[] {
  const end = words.indexOf('--');
  return (end === -1 ? words : words.slice(0, end)).flatMap((word) => {
    // a file named like an option is all that `git log *` needs
    if (!isKnown(word.slice(0, 1)) || others?.test(word)) return [word];
    if (word.startsWith('--')) {
      const [option = ''] = word.slice(2).split('=');
      return option !== '' && long.some((risky) => risky.startsWith(option)) ? [`--${option}`] : [];
    }
    if (!/^-[^-]/.test(word)) return [];
    // npm, among others, takes one dash for two
    const [single = ''] = word.slice(1).split('=');
    if (single.length > 2 && long.some((risky) => risky.startsWith(single))) return [`-${single}`];
    if (short.includes(word[1]!)) return [word.slice(0, 2)];
    return [...word].some((letter) => short.includes(letter)) && /^-[a-zA-Z]+$/.test(word) ? [word] : [];
  });
}

function gitRisks(words: string[]): string[] {
  const at = words.findIndex((word) => !GIT_HARMLESS.has(word));
  const subcommand = words[at];
  if (subcommand === undefined) return [];
  if (subcommand.startsWith('-')) return [subcommand.split('=')[0]!];
  const rest = words.slice(at + 1);
  return [
    ...(GIT_RUNNERS.has(subcommand) ? [subcommand] : []),
    ...risks(rest, { short: GIT_SHORT[subcommand] ?? '', long: GIT_LONG, words: /^ext::/ }),
  ];
}

function sedScripts(words: string[]): string[] {
  const given = words.flatMap((word, at) => {
    if (/^(-[a-zA-Z]*e|--expression)$/.test(word)) return [words[at + 1] ?? ''];
    return /^(-e.|--e)/.test(word) ? [word] : [];
  });
  const first = words.find((word) => !word.startsWith('-'));
  return given.length > 0 ? given : first === undefined ? [] : [first];
}
