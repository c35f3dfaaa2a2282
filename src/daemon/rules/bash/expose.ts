import { FOUND, isKnown, UNKNOWN } from '../marks.ts';
import { findRisks } from '../programs/find-risks.ts';
import { innerCommand } from '../programs/inner-command.ts';
import { type Level, readLevels } from '../programs/levels.ts';
import type { Program } from '../programs/program.ts';
import { baseName, programNamed } from '../programs/table.ts';
import { commandsInCode } from './commands-in-code.ts';
import type { TreeReading } from './read-tree.ts';
import { isShell } from './unwrap.ts';

export interface Exposure {
  /** Every command found, at every layer. Some may not run: deny and ask would rather see too much. */
  commands: string[][];
  /** Arguments that would be commands if the unknown program that gets them runs its arguments. */
  suspects: string[][];
  /** Why something may run that wasn't found. */
  opaque: string | undefined;
  /** Code in other languages: `python -c`, a heredoc for perl. */
  foreign: string[];
}

export type ReadText = (text: string) => TreeReading | undefined;

const MAX_LAYERS = 6;
const MAX_COMMANDS = 150;
const MAX_WORDS = 500;
const MAX_TAILS = 24;
/** Limits the characters read across all layers, or a few words could fill the memory. */
const MAX_WORK = 300_000;

/** Shell words after which a command starts. */
const BEFORE_A_COMMAND = new Set('then do else elif if while until ! { ( -'.split(' '));
const SAYS = /^(echo|printf)$/;
/** Variables and options whose value is a command that will be run. */
const NAMES_A_PROGRAM = /PAGER|EDITOR|VISUAL|COMMAND|BROWSER|ASKPASS|_SSH|EXTERNAL_DIFF|SHELL$/;
const TAKES_A_PROGRAM =
  /^--(?:to-command|checkpoint-action|use-compress-program|compress-program|rsh|rsh-command|pre|exec|command|eval|pager|editor|shell|script-shell)=(?:exec=)?(.+)$/s;

/** Programs whose arguments are texts for people, other machines or databases. */
const TAKES_TEXT =
  /^(git|hub|gh|glab|curl|wget|https?|xh|jq|yq|psql|mysql|mariadb|sqlite3|redis-cli|mongosh|logger|mail|tput|test|\[|expr|date|rg|fd|find|cargo|make)$/;
/** When a line of a crontab runs. */
const CRON_TIMES = /^[ \t]*(?:@\w+|(?:[\d*,/A-Za-z-]+[ \t]+){5})(?=\S)/gm;
const CONTAINERS = /^(docker|podman|nerdctl)$/;
/** The end of a line, as it is typed into another terminal. */
const KEYS = /(?:\\[nr]|\\0?15|\^M)+$/;

const SCRIPT_OPTION = /^--?(?:scripts?|commands?|exec|run|shell-command)$/;
/** Programs that tell another machine what to run, in the words of its service. */
const REMOTE =
  /^(aws|gcloud|az|heroku|flyctl|fly|nomad|consul|salt|ansible|pssh|pdsh|kubectl|docker|gh|oci|doctl|ibmcloud)$/;
const NAMED_SCRIPT = /\b(?:commands?|cmd|scripts?|exec|run|args|entrypoint)["']?\s*[=:]\s*(\[[^\]]*\]|.+)/gis;
const FOUND_SCRIPT = new RegExp(`${FOUND}[\\w.-]*\\.(?:[cm]?[jt]sx?|py|rb|php|pl|lua)$`);

interface Depth {
  layer: number;
  /** Whether it runs; otherwise it is a suspect. */
  isSure: boolean;
  /** It was found by its looks in another language's code, so unreadable text isn't a command. */
  isGuess?: true;
}

/** Looks into a command line as deeply as possible: substitutions, wrappers, nested shells, heredocs, `find -exec`. */
export function expose(text: string, read: ReadText): Exposure {
  const exposure: Exposure = { commands: [], suspects: [], opaque: undefined, foreign: [] };
  let work = 0;
  /** Which part of the current text receives what is piped into it. */
  let fedTo = nobody();
  const aliases = new Map<string, string>();
  const builtins: Record<string, (words: string[], depth: Depth) => void> = {
    eval: (words, depth) => exposeScript(words.slice(1).join(' '), depth),
    source: hideFile,
    '.': hideFile,
    trap: (words, depth) => exposeScript(words.slice(1).find((word) => !/^-./.test(word)) ?? '', depth),
    alias: (words, depth) => {
      for (const word of words.slice(1)) {
        const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
        if (name === undefined || value === undefined) continue;
        aliases.set(name, value);
        exposeScript(value, depth);
      }
    },
    git: exposeGit,
  };
  exposeText(text, { layer: 0, isSure: true });
  return exposure;

  function hideFile(_: string[], depth: Depth): void {
    if (isCertain(depth)) hide('it runs a file inside the shell');
  }

  function hide(reason: string): void {
    exposure.opaque ??= reason;
  }

  /** False, and something stays hidden, once this takes too long. */
  function mayGoOn(depth: Depth, amount: number): boolean {
    const { layer } = depth;
    work += amount;
    const found = exposure.commands.length + exposure.suspects.length;
    const isEnough = layer > MAX_LAYERS || found >= MAX_COMMANDS || work > MAX_WORK;
    if (isEnough && isCertain(depth)) hide('it has too many commands');
    return !isEnough;
  }

  function exposeText(script: string, depth: Depth): void {
    const reading = mayGoOn(depth, script.length + 500) ? read(script) : undefined;
    if (isCertain(depth) && (!reading || reading.hasError)) hide('parts of it cannot be parsed');
    if (!reading || (!isCertain(depth) && reading.hasError)) return;
    const outer = fedTo;
    fedTo = nobody();
    for (const { words, assignments } of reading.commands) {
      for (const { name, value } of assignments) {
        if (NAMES_A_PROGRAM.test(name)) exposeScript(value, depth);
        if (/^(BASH_)?ENV$/.test(name)) fedTo.shell = true;
      }
      exposeWords(words, depth);
    }
    const said = reading.commands.filter(({ words }) => SAYS.test(programOf(words)));
    const inputs = [...reading.fed, ...said.map(({ words }) => words.slice(1).join(' '))];
    if (fedTo.interpreter) for (const input of inputs) exposeCode(input, depth);
    if (fedTo.shell) {
      if (isCertain(depth)) hide('a shell reads its commands from somewhere else');
      for (const input of inputs) exposeScript(input.replace(CRON_TIMES, ''), depth);
    } else if (fedTo.unknown) for (const input of inputs) exposeScript(input, { ...depth, isSure: false });
    fedTo = outer;
  }

  function exposeWords(all: string[], depth: Depth): void {
    const words = all.length > MAX_WORDS ? [...all.slice(0, MAX_WORDS), UNKNOWN] : all;
    if (words.length === 0 || !mayGoOn(depth, words.join(' ').length)) return;
    (depth.isSure ? exposure.commands : exposure.suspects).push(words);
    const name = programOf(words);
    const deeper = { ...depth, layer: depth.layer + 1 };
    for (const word of words) {
      const [, program] = TAKES_A_PROGRAM.exec(word) ?? [];
      if (program !== undefined) exposeScript(program, depth);
    }
    exposeHints(words, { ...depth, isSure: false });
    const alias = aliases.get(words[0]!);
    if (alias !== undefined) exposeWords([...alias.trim().split(/\s+/), ...words.slice(1)], deeper);
    if (Object.hasOwn(builtins, name)) builtins[name]!(words, depth);
    if (isShell(name)) exposeShell(words, depth);
    else if (BEFORE_A_COMMAND.has(words[0]!)) exposeWords(words.slice(1), deeper);
    else if (!Object.hasOwn(builtins, name) || name === 'git') exposeProgram(words, depth);
  }

  /** `socat - EXEC:'rm x'`, `az … --scripts 'rm x'`, `nix run nixpkgs#git -- push`, `docker run some/terraform destroy`. */
  function exposeHints(words: string[], depth: Depth): void {
    const deeper = { ...depth, layer: depth.layer + 1 };
    const program = programOf(words);
    const isContainer = CONTAINERS.test(program) && words.includes('run');
    words.forEach((word, at) => {
      const [, script] = /^(?:(?:EXEC|SYSTEM|SHELL):|\+?!)(.+)/s.exec(word) ?? [];
      const isNamed = at > 0 && SCRIPT_OPTION.test(words[at - 1]!) && /\s/.test(word);
      if (script ?? isNamed) exposeScript(script ?? word, depth);
      // `aws ssm send-command --parameters commands="rm x"`, `'{"commands":["rm x"]}'`
      const parameters = REMOTE.test(program) ? word.matchAll(NAMED_SCRIPT) : [];
      for (const [, listed] of parameters) for (const each of textsIn(listed!)) exposeScript(each, depth);
      const [, packaged] = /^[\w./:-]+#([\w.+-]+)$/.exec(word) ?? [];
      const rest = words.slice(at + 1);
      if (packaged !== undefined && program === 'nix')
        exposeWords([packaged, ...(rest[0] === '--' ? rest.slice(1) : rest)], deeper);
      // an image is often named for the one program in it
      const [, image] = (isContainer && at > 1 && /^(?:[\w.-]+\/)*([a-z][\w.-]*)(?:[:@][\w.:-]+)?$/.exec(word)) || [];
      if (image !== undefined) exposeWords([image, ...rest], deeper);
    });
    // `gh alias set m 'pr merge'`
    if (/^(gh|glab)$/.test(program) && words.includes('alias')) {
      for (const word of words)
        if (/\s/.test(word)) for (const each of [word, `${program} ${word}`]) exposeScript(each, depth);
    }
    // `parallel git ::: push`
    const given = program === 'parallel' ? words.findIndex((word) => /^:::\+?$/.test(word)) : -1;
    if (given > 0) for (const word of words.slice(given + 1)) exposeWords([...words.slice(1, given), word], deeper);
  }

  function exposeProgram(words: string[], depth: Depth): void {
    const name = programOf(words);
    const program = programNamed(words[0]!) ?? programNamed(name);
    if (!program) {
      fedTo.unknown = true;
      exposeTails(words, { ...depth, isSure: false });
      return;
    }
    if (/^(at|batch)$/.test(name) || (name === 'crontab' && (words.length === 1 || words.includes('-'))))
      fedTo.shell = true;
    if (program.language) exposeLanguage(words, program, depth);
    // Asks where a command is, and runs nothing.
    if (name === 'command' && /^-p?[vV]/.test(words[1] ?? '')) return;
    const levels = readLevels(words, 0, program);
    const parent = levels.at(-2)?.program;
    // `cargo watch -s 'rm x'`: a plugin is an unknown program
    if (parent?.subcommands && !parent.otherwise && !Object.hasOwn(parent.subcommands, words[levels.at(-1)!.at]!)) {
      exposeTails(words.slice(levels.at(-1)!.at), { ...depth, isSure: false });
      exposePlugin(words, levels.at(-1)!.at, depth);
    }
    // whatever it is, what follows `--` may be a command
    const last = levels.at(-1)!.program;
    const end = last.free || last.language ? -1 : words.indexOf('--');
    const guess = { ...depth, layer: depth.layer + 1, isSure: false };
    if (end > 0 && words.length === end + 2 && /\s/.test(words[end + 1]!)) exposeScript(words[end + 1]!, guess);
    else if (end > 0) exposeWords(words.slice(end + 1), guess);
    // `npm config set script-shell 'rm x'`, `zip a b -TT 'rm x'`
    if (!last.free && !last.language && !TAKES_TEXT.test(name)) {
      for (const word of words.slice(1)) if (/\S\s+\S/.test(word)) exposeScript(word, guess);
    }
    for (const level of levels) {
      exposeOptions(level, words, depth);
      if (level.program.launch && (level.next === undefined || level.program.launch.as)) {
        exposeLaunch(level, words, depth);
      }
    }
  }

  /** `cargo watch -x 'publish -p a'`: a plugin often runs its own program. */
  function exposePlugin(words: string[], at: number, { layer }: Depth): void {
    for (let next = at + 1; next < Math.min(words.length, MAX_TAILS); next++) {
      const given = words[next]!.replace(/^-\w(?=[a-z])|^--?[\w-]+=/, '');
      if (!given.startsWith('-'))
        exposeWords([words[0]!, ...given.split(/\s+/), ...words.slice(next + 1)], { layer: layer + 2, isSure: false });
    }
  }

  /** `sort --compress-program='…'`, `find -exec … ;`, `fd -x …`. */
  function exposeOptions({ program, read: { options } }: Level, words: string[], depth: Depth): void {
    // its options contain code in its own language
    if (program.language) return;
    for (const { name, option, value, valueAt } of options) {
      if (option?.effect !== 'runs' || value === undefined) continue;
      if (/^(-(exec|execdir|ok|okdir)|-[xX]|--exec(-batch)?)$/.test(name) && !/\s/.test(value)) {
        const rest = words.slice(valueAt);
        const end = rest.findIndex((each) => each === ';' || each === '+');
        const inner = (end === -1 ? rest : rest.slice(0, end)).map((each) => each.replaceAll('{}', UNKNOWN));
        exposeWords(inner, { ...depth, layer: depth.layer + 1 });
      } else {
        // `-o ProxyCommand=…`, `--checkpoint-action=exec=…`
        const [, named] = /^[\w.-]+=(.+)$/s.exec(value) ?? [];
        exposeScript(named ?? value, { ...depth, isGuess: true });
        // `bun -e '…'`
        if (isCode(value)) exposeCode(value, depth);
        // `just -c rm x`
        else if (valueAt > 0) exposeWords(words.slice(valueAt), { ...depth, layer: depth.layer + 1, isSure: false });
      }
    }
  }

  function exposeLaunch({ program, chain, read: given, at }: Level, words: string[], depth: Depth): void {
    const launch = program.launch!;
    const deeper = { ...depth, layer: depth.layer + 1 };
    if (launch.anywhere) {
      exposeTails(words.slice(at), depth);
      return;
    }
    if (launch.assigns) {
      for (const index of given.operands) {
        const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(words[index]!) ?? [];
        if (NAMES_A_PROGRAM.test(name)) exposeScript(value, depth);
      }
    }
    const inner = launch.self ? { at, isModule: false } : innerCommand(launch, given, words);
    if (!inner) {
      if (launch.shell) fedTo.shell = true;
      return;
    }
    // `node $(which npm) publish`
    const hidden = launch.script === 'file' ? given.unsure.find((index) => index < inner.at) : undefined;
    if (hidden !== undefined) exposeWords(words.slice(hidden), deeper);
    const command = words.slice(inner.at);
    // `node --test test/*.test.js`: whatever it finds is a test file, not a program
    if (launch.script === 'file' && FOUND_SCRIPT.test(command[0]!)) return;
    // a project script does what it likes with its arguments
    if (launch.script && launch.script !== 'file' && !inner.isModule) {
      exposeTails(command, { ...depth, isSure: false });
      if (launch.script === 'script') return;
    }
    const isOdd = given.options.some(({ option }) => !option) && !chain.some(({ others }) => others === 'plain');
    if (isOdd) exposeTails(words.slice(at), depth);
    const hole = given.options.find(({ name }) => /^(-I|-J|--replace)$/.test(name))?.value ?? '{}';
    const added = launch.appends
      ? [...command.map((word) => word.replaceAll(hole || '{}', UNKNOWN)), UNKNOWN]
      : command;
    if (launch.shell || (/\s/.test(command[0]!) && !program.language)) exposeScript(command.join(' '), depth);
    if (!/\s/.test(command[0]!)) exposeWords(launch.as ? [launch.as, ...added] : added, deeper);
  }

  function exposeScript(script: string, depth: Depth): void {
    if (!isKnown(script) && isCertain(depth)) hide('it runs text that is only known later');
    // a variable in its place stays unknown when the text is read again
    exposeText(script.replaceAll(UNKNOWN, '$@').replaceAll(FOUND, '*'), { ...depth, layer: depth.layer + 1 });
  }

  function exposeLanguage(words: string[], { language }: Program, depth: Depth): void {
    fedTo.interpreter = true;
    // sed and awk only change text, unless their script says otherwise
    const code =
      language === 'judged' ? findRisks(words).risks.map(({ at }) => words[at]!) : words.slice(1).filter(isCode);
    for (const each of code) exposeCode(each, depth);
  }

  function exposeCode(code: string, depth: Depth): void {
    // `printf` spells out line breaks in its text
    exposure.foreign.push(code.replace(/\\[nrt]/g, ' '));
    const { scripts, commands } = commandsInCode(code);
    const guess: Depth = { ...depth, layer: depth.layer + 1, isGuess: true };
    for (const script of scripts) exposeScript(script, guess);
    for (const words of commands) exposeWords(words, guess);
  }

  function exposeShell(words: string[], depth: Depth): void {
    const option = words.findIndex((word) => /^-[a-zA-Z]*c/.test(word));
    const operands = words.slice(option + 1 || 1).filter((word) => !/^[-+]./.test(word));
    if (option !== -1) {
      exposeScript(operands[0] ?? '', depth);
      // `sh -c '"$@"' _ rm x`
      if (operands.length > 1) exposeTails(operands, { ...depth, isSure: false });
    } else if (operands.length === 0 || words.includes('-s') || /^(-|\/dev\/)/.test(operands[0]!)) fedTo.shell = true;
    else {
      // `echo '…' > x.sh; sh x.sh`
      fedTo.unknown = true;
      exposeTails(operands, { ...depth, isSure: false });
    }
  }

  /** `-c alias.x='!…'`, `-c core.pager=…`, `rebase --exec …`, `submodule foreach …`. */
  function exposeGit(words: string[], depth: Depth): void {
    for (const word of words) {
      const [, key = '', configured] = /^([\w.-]+\.[\w-]+)=!?(.+)$/s.exec(word) ?? [];
      const [, joined] =
        /^(?:--exec|--extcmd|--[a-z-]+-filter|--upload-pack|--receive-pack|-x)=?(.+)$/s.exec(word) ?? [];
      for (const script of [configured, joined]) if (script) exposeScript(script, depth);
      if (configured && key.startsWith('alias.') && !word.includes('=!')) exposeScript(`git ${configured}`, depth);
    }
    words.forEach((word, at) => {
      // `git config alias.x '!…'`
      if (/^alias\./.test(word))
        exposeScript(
          (words[at + 1] ?? '').replace(/^(!?)/, (_, bang) => (bang ? '' : 'git ')),
          depth,
        );
      if (/^(--exec|--extcmd|--[a-z-]+-filter|-x|--upload-pack|--receive-pack)$/.test(word))
        exposeScript(words[at + 1] ?? '', depth);
    });
  }

  /** If it isn't clear at which word the inner command starts, every word is tried. */
  function exposeTails(words: string[], depth: Depth): void {
    for (let at = 1; at < Math.min(words.length, MAX_TAILS); at++) {
      const word = words[at]!;
      // a whole script in one word, perhaps attached to its option: `-S'rm x'`, `-oProxyCommand='rm x'`
      const scripts = [
        ...[word, word.replace(/^-\w/, ''), word.slice(word.indexOf('=') + 1), word.replace(KEYS, '')],
        // `-e 'cmd="rm x"'`, `'{"cmd":"rm x"}'`, `-e '"rm x".!'`
        ...textsIn(word),
      ];
      if (/\s/.test(word)) for (const script of new Set(scripts)) exposeScript(script, depth);
      const deeper = { ...depth, layer: depth.layer + 1 };
      const isWord = !word.startsWith('-') && !/^\w+=/.test(word);
      if (isWord) exposeWords(words.slice(at), deeper);
      // `coreutils --coreutils-prog=rm x`
      const [, given] = /^--?[\w-]+=([\w./+-]+)$/.exec(word) ?? [];
      if (given !== undefined) exposeWords([given, ...words.slice(at + 1)], deeper);
    }
  }
}

/** A text, or each text of a list. */
function textsIn(listed: string): string[] {
  const quoted = [...listed.matchAll(/"([^"]+)"|'([^']+)'/g)].map(([, double, single]) => (double ?? single)!);
  return quoted.length > 0 ? quoted : [listed.replace(/^\[|\]$/g, '')];
}

function isCode(word: string): boolean {
  return /[\s();"'`!]/.test(word);
}

function isCertain({ isSure, isGuess }: Depth): boolean {
  return isSure && !isGuess;
}

function nobody() {
  return { shell: false, interpreter: false, unknown: false };
}

/** Under any path and (on case-insensitive disks) in any case. */
export function programOf(words: string[]): string {
  return baseName(words[0] ?? '').toLowerCase();
}
