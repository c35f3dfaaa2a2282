import { FOUND, isKnown, UNKNOWN } from '../marks.ts';
import type { TreeReading } from './read-tree.ts';
import { baseName, innerOf, isShell } from './wrappers.ts';

export interface Exposure {
  /** Every command that could be found, at every layer. Some may not run: deny and ask would rather see too much. */
  commands: string[][];
  /** Why something may run that was not found. */
  opaque: string | undefined;
  /** Code in other languages: `python -c`, a heredoc for perl. */
  foreign: string[];
}

export type ReadText = (text: string) => TreeReading | undefined;

const MAX_LAYERS = 6;
const MAX_COMMANDS = 150;
const MAX_WORDS = 500;
const MAX_TAILS = 24;
/** Characters read again and again in all layers together, or a few words could fill the memory. */
const MAX_WORK = 300_000;

/** Programs (and words of the shell) whose arguments are, or contain, a command. */
const RUNNERS = new Set(
  (
    'sudo doas su runuser pkexec env timeout nice nohup stdbuf time command builtin exec coproc xargs parallel rargs ' +
    'setsid ionice chrt taskset flock script unshare nsenter chroot systemd-run strace ltrace busybox toybox watch ' +
    'entr expect ssh npx bunx pnpx pipx uvx tmux screen caffeinate arch proot fakeroot ' +
    'noglob nocorrect repeat then do else elif if while until ! { ( -'
  ).split(' '),
);
/** Those that do so with one of these as their first argument. */
const RUNNING_SUBCOMMANDS: Record<string, RegExp> = {
  npm: /^(exec|x)$/,
  pnpm: /^(exec|dlx)$/,
  yarn: /^(exec|dlx)$/,
  bun: /^x$/,
  uv: /^run$/,
  poetry: /^run$/,
  pipenv: /^run$/,
  docker: /^(exec|run)$/,
  podman: /^(exec|run)$/,
  kubectl: /^exec$/,
};

const SAYS = /^(echo|printf)$/;
/** Variables and options whose value is a command that something will run. */
const NAMES_A_PROGRAM = /PAGER|EDITOR|VISUAL|COMMAND|BROWSER|ASKPASS|_SSH|EXTERNAL_DIFF|SHELL$/;
const TAKES_A_PROGRAM =
  /^--(?:to-command|checkpoint-action|use-compress-program|compress-program|rsh|rsh-command|pre|exec|command|eval|pager|editor|shell|script-shell)=(?:exec=)?(.+)$/s;
const INTERPRETERS =
  /^(python|pypy|node|nodejs|deno|bun|perl|ruby|php|lua|luajit|tclsh|wish|osascript|rscript|[gmn]?awk|sed|jshell|groovy|julia|elixir|erl|irb|ipython|sqlite3|psql|mysql|vim?|nvim|emacs|ed|gdb|pwsh|powershell)[\d.]*$/;

/** Looks into a command line as deeply as it can: substitutions, wrappers, shells in shells, heredocs, `find -exec`. */
export function expose(text: string, read: ReadText): Exposure {
  const exposure: Exposure = { commands: [], opaque: undefined, foreign: [] };
  let work = 0;
  /** Whether something in the text at hand runs what it is fed. */
  let fedTo = { shell: false, interpreter: false };
  const programs: Record<string, (words: string[], layer: number) => void> = {
    eval: (words, layer) => exposeScript(words.slice(1).join(' '), layer),
    source: () => hide('it runs a file inside the shell'),
    '.': () => hide('it runs a file inside the shell'),
    trap: (words, layer) => exposeScript(words.slice(1).find((word) => !/^-./.test(word)) ?? '', layer),
    alias: (words, layer) => {
      for (const word of words.slice(1)) exposeScript(word.slice(word.indexOf('=') + 1), layer);
    },
    at: () => feedShell(),
    batch: () => feedShell(),
    find: exposeFind,
    fd: exposeFind,
    git: exposeGit,
  };
  exposeText(text, 0);
  return exposure;

  function hide(reason: string): void {
    exposure.opaque ??= reason;
  }

  /** False, and something stays hidden, once this has gone on for too long. */
  function mayGoOn(layer: number, amount: number): boolean {
    work += amount;
    const isEnough = layer > MAX_LAYERS || exposure.commands.length >= MAX_COMMANDS || work > MAX_WORK;
    if (isEnough) hide('it has too many commands');
    return !isEnough;
  }

  function feedShell(): void {
    fedTo.shell = true;
  }

  function exposeText(script: string, layer: number): void {
    const reading = mayGoOn(layer, script.length + 500) ? read(script) : undefined;
    if (!reading || reading.hasError) hide('parts of it cannot be parsed');
    if (!reading) return;
    const outer = fedTo;
    fedTo = { shell: false, interpreter: false };
    for (const { words, assignments } of reading.commands) {
      for (const { name, value } of assignments) if (NAMES_A_PROGRAM.test(name)) exposeScript(value, layer);
      exposeWords(words, layer);
    }
    const said = reading.commands.filter(({ words }) => SAYS.test(programOf(words)));
    const inputs = [...reading.fed, ...said.map(({ words }) => words.slice(1).join(' '))];
    if (fedTo.interpreter) exposure.foreign.push(...inputs);
    if (fedTo.shell) {
      hide('a shell takes its commands from elsewhere');
      for (const input of inputs) exposeScript(input, layer);
    }
    fedTo = outer;
  }

  function exposeWords(all: string[], layer: number): void {
    const words = all.length > MAX_WORDS ? [...all.slice(0, MAX_WORDS), UNKNOWN] : all;
    if (words.length === 0 || !mayGoOn(layer, words.join(' ').length)) return;
    exposure.commands.push(words);
    const name = programOf(words);
    for (const word of words) {
      const [, program] = TAKES_A_PROGRAM.exec(word) ?? [];
      if (program !== undefined) exposeScript(program, layer);
    }
    if (INTERPRETERS.test(name)) {
      exposure.foreign.push(...words.slice(1).filter((word) => /[\s();"'`!]/.test(word)));
      fedTo.interpreter = true;
    }
    if (isShell(name)) exposeShell(words, layer);
    else if (Object.hasOwn(programs, name)) programs[name]!(words, layer);
    else if (RUNNERS.has(name)) exposeRunner(words, layer);
    else if (Object.hasOwn(RUNNING_SUBCOMMANDS, name) && RUNNING_SUBCOMMANDS[name]!.test(words[1] ?? '')) {
      exposeTails(words.slice(1), layer);
    }
  }

  function exposeScript(script: string, layer: number): void {
    if (!isKnown(script)) hide('it runs text that is only known later');
    // a variable in its place stays unknown when the text is read again
    exposeText(script.replaceAll(UNKNOWN, '$@').replaceAll(FOUND, '*'), layer + 1);
  }

  function exposeShell(words: string[], layer: number): void {
    const option = words.findIndex((word) => /^-[a-zA-Z]*c/.test(word));
    const operands = words.slice(option + 1 || 1).filter((word) => !/^[-+]./.test(word));
    if (option !== -1) exposeScript(operands[0] ?? '', layer);
    else if (operands.length === 0 || words.includes('-s') || /^(-|\/dev\/)/.test(operands[0]!)) feedShell();
  }

  function exposeFind(words: string[], layer: number): void {
    words.forEach((word, at) => {
      if (!/^(-(exec|execdir|ok|okdir)|-[xX]|--exec(-batch)?)$/.test(word)) return;
      const rest = words.slice(at + 1);
      const end = rest.findIndex((each) => each === ';' || each === '+');
      const inner = (end === -1 ? rest : rest.slice(0, end)).map((each) => each.replaceAll('{}', UNKNOWN));
      exposeWords(inner, layer + 1);
    });
  }

  /** `-c alias.x='!…'`, `-c core.pager=…`, `rebase --exec …`, `bisect run …`, `submodule foreach …`. */
  function exposeGit(words: string[], layer: number): void {
    words.forEach((word, at) => {
      const [, configured] = /^[\w.-]+\.[\w-]+=!?(.+)$/s.exec(word) ?? [];
      const [, joined] = /^(?:--exec|--extcmd|--upload-pack|--receive-pack|-x)=?(.+)$/s.exec(word) ?? [];
      for (const script of [configured, joined]) if (script) exposeScript(script, layer);
      if (/^(--exec|--extcmd|-x|--upload-pack|--receive-pack)$/.test(word)) exposeScript(words[at + 1] ?? '', layer);
    });
    const runs = words.findIndex((word) => word === 'run' || word === 'foreach');
    if (runs === -1) return;
    exposeWords(words.slice(runs + 1), layer + 1);
    exposeScript(words.slice(runs + 1).join(' '), layer);
  }

  function exposeRunner(words: string[], layer: number): void {
    const name = programOf(words);
    const all = name === 'xargs' || name === 'parallel' ? [...words, UNKNOWN] : words;
    const inner = innerOf(all);
    if (!inner) exposeTails(all, layer);
    else if (/\s/.test(inner[0]!)) exposeScript(inner[0]!, layer);
    else exposeWords(inner, layer + 1);
  }

  /** Where it is not clear at which word the inner command starts, every word is tried. */
  function exposeTails(words: string[], layer: number): void {
    for (let at = 1; at < Math.min(words.length, MAX_TAILS); at++) {
      const word = words[at]!;
      // a whole script in one word, perhaps behind its option: `-S'rm x'`, `-oProxyCommand='rm x'`
      const scripts = [word, word.replace(/^-\w/, ''), word.slice(word.indexOf('=') + 1)];
      if (/\s/.test(word)) for (const script of new Set(scripts)) exposeScript(script, layer);
      if (!word.startsWith('-') && !/^\w+=/.test(word)) exposeWords(words.slice(at), layer + 1);
    }
  }
}

/** Under whatever path and (on disks that ignore it) in whatever case it is called. */
export function programOf(words: string[]): string {
  return baseName(words[0] ?? '').toLowerCase();
}
