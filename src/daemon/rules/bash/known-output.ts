import { CURRENT_BRANCH, SOME, SOME_NUMBER, THIS_FOLDER, TOP_FOLDER, UNKNOWN, UNKNOWN_WORD } from '../marks.ts';

const REF = String.raw`[\w@^~/.]+(?:\{[\w-]+\})?`;
const RANGE = String.raw`${REF}(?:\.{2,3}${REF})?`;

/** Commands that print numbers, whatever they are given. */
const NUMBERS: RegExp[] = [
  /^lsof (?:-nP |-P |-n |-i ?[\w:]+ )*-ti?[\w:]*(?: -i ?[\w:]+| -sTCP:LISTEN| -nP)*$/,
  /^pgrep (?:-[fxn]+ )?[\w./ ]+$/,
  new RegExp(`^git rev-list --count (?:--no-merges )?${RANGE}$`),
  /^gh (?:run|pr|issue) (?:list|view)(?: [\w=/.@-]+)* --json (?:databaseId|number) (?:--jq|-q) (?:\.\[0\])?\.(?:databaseId|number)$/,
  /^(?:seq(?: \d+){1,3}|nproc|id -[ug]|jq (?:-r )?length|date \+%s)$/,
  /^(?:wc -[lcwm]|e?grep (?:-[iEvFwx]+ )*-[iEvFwx]*c[iEvFwx]* (?!-)\S+(?: [\w./]+)?)$/,
];
/** Kinds whose names are DNS labels; a role may be called `--all`. */
const LABELED =
  'pods?|po|deploy(?:ments?)?|svc|services?|nodes?|no|jobs?|sts|statefulsets?|ds|ns|namespaces?|cm|configmaps?|pvc|ingress(?:es)?|ing';
const WHERE = String.raw`(?: (?!--?o|--raw|--temp)[\w=./,:-]+)*`;
/** Hashes, times, and names that can't start with a dash, one or several. */
const NAMES: RegExp[] = [
  new RegExp(`^git merge-base (?:--fork-point )?${REF} ${REF}$`),
  new RegExp(`^git rev-parse (?:--short(?:=\\d+)? |--verify |--quiet |-q )*${REF}$`),
  new RegExp(
    `^git log(?: -\\d+| -n ?\\d+| --(?:no-merges|merges|reverse|first-parent|all|max-count=\\d+)| ${RANGE})* --(?:pretty|format)=(?:format:)?%[hH](?: -\\d+| -n ?\\d+| ${RANGE})*(?: --(?: [\\w./][\\w./-]*)+)?$`,
  ),
  new RegExp(
    `^git rev-list(?: -\\d+| -n ?\\d+| --(?:no-merges|merges|reverse|first-parent|all|max-parents=0|max-count=\\d+)| ${RANGE})+(?: --(?: [\\w./][\\w./-]*)+)?$`,
  ),
  /^(?:uname -[smr]|arch)$/,
  /^go list(?: (?:\.\/[\w./]*\.\.\.|\.\/[\w./-]+|\.))+$/,
  /^docker (?:compose )?(?:ps|container ls|images|image ls|network ls) (?!.*--format)(?:[\w=./:-]+ )*(?:-[af]*q[af]*|--quiet)(?: [\w=./:-]+)*$/,
  /^date (?:-u )?\+(?:%[YmdHMSsFTjy]|\w)(?:%[YmdHMSsFTjy]|[\w.:-])*$/,
  new RegExp(`^(?:kubectl|oc)${WHERE} get${WHERE} (?:-o ?=?|--output[= ])name${WHERE}$`),
  new RegExp(
    `^(?:kubectl|oc)${WHERE} get (?:${LABELED})${WHERE} (?:-o ?=?|--output[= ])jsonpath=\\{(?:\\.items\\[(?:\\d+|\\*)\\])?\\.metadata\\.name\\}${WHERE}$`,
  ),
];
/** Names of branches and tags. `git branch` refuses a dash in front, but `git update-ref` and a remote don't. */
const REFS: RegExp[] = [
  new RegExp(`^git rev-parse (?:--verify |--abbrev-ref |--symbolic-full-name )*${REF}$`),
  new RegExp(`^git describe(?: --(?:tags|always|dirty|long|exact-match|all|abbrev=\\d+))*(?: ${REF})?$`),
];
const BRANCH =
  /^git (?:branch --show-current|symbolic-ref (?:-q )?--short HEAD|rev-parse (?:--verify )?--abbrev-ref HEAD)$/;
/** Prints some of the lines that it reads, each as it is. */
const PASSES =
  /^(?:head(?: -\d+| -n ?\d+)?|tail(?: -\d+| -n ?\d+)?|sort(?: -[rVunh]+)?|uniq|cat|e?grep (?:-[iEvFwx]+ )*(?!-)\S+|tr -d (?:\\n|\\r|\[:space:\]))$/;

/** `date -d '1 hour ago' +%s`: whatever the date, what it prints has the same shape. */
function withoutDate(words: string[]): string[] {
  const at = words[0] === 'date' ? words.findIndex((word) => /^(-d|--date)$/.test(word)) : -1;
  return at === -1 ? words : [...words.slice(0, at), ...words.slice(at + 2)];
}

/** What the output of a pipeline looks like as (part of) one word. */
export function outputOf(pipeline: string[][]): string {
  const [last, ...before] = pipeline.toReversed();
  // a word with a blank in it would pass for two
  if (!last || withoutDate(last).some((word) => /\s/.test(word))) return UNKNOWN;
  const text = withoutDate(last).join(' ');
  if (NUMBERS.some((shape) => shape.test(text))) return SOME_NUMBER;
  if (before.length > 0) return PASSES.test(text) ? outputOf(before.reverse()) : UNKNOWN;
  if (text === 'git rev-parse --show-toplevel') return TOP_FOLDER;
  if (text === 'pwd') return THIS_FOLDER;
  if (BRANCH.test(text)) return CURRENT_BRANCH;
  if (NAMES.some((shape) => shape.test(text))) return SOME;
  return REFS.some((shape) => shape.test(text)) ? UNKNOWN_WORD : UNKNOWN;
}

const PLACES = /^git rev-parse --(?:show-toplevel|show-prefix|show-cdup|git-dir|git-common-dir|is-inside-work-tree)$/;

/** `git rev-parse HEAD`: tells where the repository stands, and nothing of what is in it. */
export function tellsWhereGitIs(words: string[]): boolean {
  if (words[0] !== 'git' || words.some((word) => /\s/.test(word))) return false;
  const text = words.join(' ');
  return (
    PLACES.test(text) ||
    [...NUMBERS, ...NAMES, ...REFS, BRANCH, /^git config (?:--get )?user\.(?:name|email)$/].some((shape) =>
      shape.test(text),
    )
  );
}
