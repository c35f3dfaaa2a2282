import { tellsWhereGitIs } from '../bash/known-output.ts';
import { FOUND, isKnown } from '../marks.ts';
import { findRisks } from './find-risks.ts';
import { readLevels } from './levels.ts';
import { isPlainSed } from './sed-script.ts';
import { programNamed } from './table.ts';

/** Programs that transform their input and print it, with the number of operands before any file. */
const FILTERS: Record<string, number> = {
  ...{ head: 0, tail: 0, wc: 0, sort: 0, uniq: 0, cut: 0, nl: 0, rev: 0, tac: 0, fold: 0, column: 0, cat: 0, xxd: 0 },
  ...{
    paste: 0,
    md5sum: 0,
    sha1sum: 0,
    sha256sum: 0,
    od: 0,
    hexdump: 0,
    base64: 0,
    numfmt: 0,
    strings: 0,
    expand: 0,
    shuf: 0,
    bc: 0,
  },
  ...{ grep: 1, egrep: 1, fgrep: 1, jq: 1, sed: 1, awk: 1, tr: 2 },
};
/** Letters that take the next word as their value. */
const VALUES: Record<string, RegExp> = {
  ...{
    head: /^-[qvz]*[nc]$/,
    tail: /^-[qvz]*[nc]$/,
    cut: /^-[sz]*[dfcb]$/,
    fold: /^-[bs]*w$/,
    paste: /^-[sz]*d$/,
    base64: /^-[dDi]*w$/,
    hexdump: /^-[nse]$/,
    od: /^-[ANjtw]$/,
    column: /^-[tenx]*[sco]$/,
  },
};
/** Options with which they read files or never end. */
const READS_FILES =
  /^--(file|exclude-from|recursive|dereference-recursive|directories|files0-from|temporary-directory|random-source|from-file|slurpfile|rawfile|argfile|library-path|follow|retry|pid)$/;
const GREP = /^-[fdrR]$/;
const READS_FILES_BY_LETTER: Record<string, RegExp> = {
  ...{ grep: GREP, egrep: GREP, fgrep: GREP, tail: /^-[fF]$/, jq: /^-[fL]$/, sort: /^-T$/ },
};
/** jq and awk can print environment variables. */
const READS_VARIABLES = /(^|[^.\w])env\b|\$ENV|ENVIRON|\b(import|include|input_filename|ARGV|ARGC)\b/;
const SAYS = new Set(['echo', 'printf']);

/**
 * Whether a command only prints, tests or filters another command's output: `| tail -40`, `|| true`, `echo done`. It needs no rule of its
 * own next to the command it helps.
 */
export function isHarmlessHelper({
  words,
  isFed,
  shows,
  reads,
  isElsewhere,
}: {
  words: string[];
  isFed?: boolean | undefined;
  shows?: string | undefined;
  reads?: string[] | undefined;
  isElsewhere?: boolean | undefined;
}): boolean {
  const [name = '', ...rest] = words;
  if (shows !== undefined || reads !== undefined) return false;
  // what a substitution prints has been judged on its own
  if (SAYS.has(name)) return findRisks(words).risks.length === 0 && !words.some(looksElsewhere);
  // they only cut text
  if (name === 'basename' || name === 'dirname') return rest.length > 0 && rest.every((word) => !word.startsWith('-'));
  if (!words.every(isKnown)) return false;
  if (name === 'true' || name === 'false' || name === ':') return true;
  if (name === 'pwd') return rest.length === 0;
  if (name === 'yes') return rest.length === 0 || (rest.length === 1 && /^\w*$/.test(rest[0]!));
  if (name === 'nproc' || name === 'arch') return rest.length === 0;
  if (name === 'seq') return rest.length < 4 && rest.every((word) => /^-?\d+$/.test(word));
  if (name === 'date')
    return rest.every((word, at) => /^(-u|-d|--utc|--date=.*|\+.*)$/s.test(word) || rest[at - 1] === '-d');
  if (name === 'uname') return rest.every((word) => /^-[asnrvmpio]+$/.test(word));
  if (name === 'sleep') return rest.length === 1 && /^\d{1,2}(?:\.\d+)?$/.test(rest[0]!);
  if (name === 'exit') return rest.every((word) => /^\d+$/.test(word)) && rest.length < 2;
  if (name === '[' || name === 'test') return findRisks(words).risks.length === 0;
  if (name === 'tee') return isFed === true && rest.every((word) => /^\/dev\/(null|stderr|stdout|tty)$/.test(word));
  if (name === 'command' || name === 'type' || name === 'which') return looksUp(words);
  if (LISTS.has(name)) return rest.every(isInside);
  if (asksVersion(words) || tellsWhereGitIs(words)) return true;
  // another folder may be a repository whose settings name a program
  if (name === 'git') return isElsewhere !== true && GIT_OVERVIEW.test(words.join(' '));
  if (PRINTS_JSON.test(words.join(' '))) return isFed === true;
  return isFed === true && isFilter(words);
}

/** Which files changed, and not how. */
const GIT_OVERVIEW =
  /^git (?:status(?: (?:-[sbuz]+|-uno|-uall|--short|--branch|--porcelain(?:=v[12])?|--untracked-files=\w+))*|diff(?: --(?:cached|staged))?(?: --(?:stat|shortstat|name-only|name-status|quiet|exit-code --quiet|quiet --exit-code))+|branch(?: -[avr]+)?|stash list|log(?: -\d+| -n ?\d+)? --oneline(?: -\d+| -n ?\d+)?)$/;

/** Show what is there, and not what is in it. */
const LISTS = new Set(['ls', 'du', 'stat']);
const PRINTS_JSON = /^python3? -m json\.tool( --(no-ensure-ascii|sort-keys|compact|indent \d))*$/;

/** A word of a listing, in the project. */
function isInside(word: string): boolean {
  return word.startsWith('-')
    ? /^-[\w-]+(=[\w-]+)?$/.test(word) && !/^--(files0-from|exclude-from)/.test(word)
    : !/^[/~]|(^|\/)\.\.(\/|$)/.test(word);
}

/** `command -v node`, `which npm` */
function looksUp([name, ...rest]: string[]): boolean {
  const names = name === 'command' ? rest.slice(1) : rest;
  return (
    (name !== 'command' || /^-[vV]$/.test(rest[0] ?? '')) &&
    names.length > 0 &&
    names.every((word) => /^(-a|[\w.][\w.+-]*)$/.test(word))
  );
}

/** `node --version`, `go version` */
function asksVersion([name = '', option = '', ...more]: string[]): boolean {
  if (more.length > 0 || name.includes('/') || !programNamed(name)) return false;
  return (
    option === '--version' ||
    (option === '-v' && /^(node|npm|npx|yarn|pnpm|bun|tsc|php|gradle|mvn)$/.test(name)) ||
    (option === 'version' && /^(go|docker|terraform|helm|kubectl)$/.test(name))
  );
}

/** `echo /etc/*` lists files outside of the project. */
function looksElsewhere(word: string): boolean {
  return word.includes(FOUND) && /(^|\s)[/~]|\.\./.test(word);
}

function isFilter(words: string[]): boolean {
  const name = words[0]!;
  const program = programNamed(name);
  if (!Object.hasOwn(FILTERS, name) || !program || findRisks(words).risks.length > 0) return false;
  const [level] = readLevels(words, 0, program);
  const { options, unsure } = level!.read;
  const operands = level!.read.operands.filter((at) => VALUES[name]?.test(words[at - 1]!) !== true);
  if (unsure.length > 0 || options.some((option) => readsFile(name, option.name))) return false;
  const isGiven = options.some((option) => /^(-e|--regexp|--expression)$/.test(option.name));
  if (operands.length > (isGiven ? 0 : FILTERS[name]!)) return operands.length === 1 && words[operands[0]!] === '-';
  if (name === 'sed') {
    const given = options.filter((option) => /^(-e|--expression)$/.test(option.name)).map(({ value = '' }) => value);
    const scripts = [...given, ...operands.map((at) => words[at]!)];
    return scripts.length > 0 && scripts.every((script) => isPlainSed(script, { readsFiles: false }));
  }
  return !words.slice(1).some((word) => READS_VARIABLES.test(word)) || !/^(jq|awk)$/.test(name);
}

function readsFile(program: string, option: string): boolean {
  return READS_FILES.test(option) || READS_FILES_BY_LETTER[program]?.test(option) === true;
}
