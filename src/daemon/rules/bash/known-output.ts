import { SOME, SOME_NUMBER, UNKNOWN } from '../marks.ts';

/** Commands that print numbers, whatever they are given. */
const NUMBERS: RegExp[] = [
  /^lsof (?:-nP |-P |-n |-i ?[\w:]+ )*-ti?[\w:]*(?: -i ?[\w:]+| -sTCP:LISTEN| -nP)*$/,
  /^pgrep (?:-[fxn]+ )?[\w./ ]+$/,
  /^git rev-list --count [\w@^~/.]+$/,
  /^(?:seq(?: \d+){1,3}|nproc|id -[ug]|wc -[lcw]|jq (?:-r )?length|date \+%s)$/,
];
/** Hashes and names, without spaces and without a dash in front: git accepts no other branch. */
const NAMES: RegExp[] = [
  /^git merge-base (?:--fork-point )?[\w@^~/.]+ [\w@^~/.]+$/,
  /^git rev-parse (?:--short |--verify |--abbrev-ref )*[\w@^~/.]+$/,
  /^git (?:branch --show-current|symbolic-ref --short HEAD)$/,
  /^git log (?:-1 )?--(?:pretty|format)=(?:format:)?%[hH](?: -1)?$/,
  /^(?:uname -[smr]|arch)$/,
  /^docker (?:compose )?(?:ps|container ls|images|image ls) (?!.*--format)(?:[\w=./:-]+ )*-a?q(?: [\w=./:-]+)*$/,
  /^date (?:-u )?\+(?:%[YmdHMSsFTjy]|\w)(?:%[YmdHMSsFTjy]|[\w.:-])*$/,
];

/** What the output of a pipeline looks like as (part of) one word, by its last command. */
export function outputOf(words: string[]): string {
  const text = words.join(' ');
  if (NUMBERS.some((shape) => shape.test(text))) return SOME_NUMBER;
  return NAMES.some((shape) => shape.test(text)) ? SOME : UNKNOWN;
}
