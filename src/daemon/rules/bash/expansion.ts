import { UNKNOWN } from '../marks.ts';

/** The value of one `$…`. */
export interface Expansion {
  /** As in the grammar-based reader: `~` for the home folder, UNKNOWN for anything else. */
  value: string;
  /** Its possible values; a single UNKNOWN if they can't be determined. */
  values: string[];
  /** The variable, if it has several values. */
  variable?: string;
  /** The variable it reveals, if the text itself doesn't set it. */
  name?: string;
  /** Index of its last character. */
  end: number;
}

const NAME = /\$(?:\{(\w+)\}|([A-Za-z_]\w*)|([\d?#$!@*-]))/y;
/** `${#name}`, `${name%.ts}`, `${name##*\/}`, with nothing in it that is expanded again. */
const TRIMMED = /\$\{(?:#([A-Za-z_]\w*)|([A-Za-z_]\w*)(?:%%?|##?)[\w.*?/@:,+-]*)\}/y;
/** How the commands of a pipeline ended: numbers, and nothing in a shell that has another name for it. */
const STATUSES = /\$\{(?:PIPESTATUS|pipestatus)\[\d\]\}/y;
const SUM = /\$\(\((?:[\d\s+\-*/%()]|\$?[A-Za-z_]\w*)*\)\)/y;

/** A variable, by its plain name; undefined for `${!x}`, `${x:-…}` and whatever else may run something. */
export function readVariable(text: string, at: number): { name: string; isWhole: boolean; end: number } | undefined {
  NAME.lastIndex = at;
  const [whole, braced, plain, special] = NAME.exec(text) ?? [];
  const name = braced ?? plain ?? special;
  if (whole !== undefined && name !== undefined) {
    const end = at + whole.length - 1;
    // in zsh this is an index, which is evaluated, and evaluation can run a command; `$#x` is a length in zsh
    const next = braced === undefined ? (text[end + 1] ?? ' ') : ' ';
    return next === '[' || (special === '#' && /[\w{@*?$!-]/.test(next)) ? undefined : { name, isWhole: true, end };
  }
  STATUSES.lastIndex = at;
  const [statuses] = STATUSES.exec(text) ?? [];
  if (statuses !== undefined) return { name: '-', isWhole: false, end: at + statuses.length - 1 };
  TRIMMED.lastIndex = at;
  const [trimmed, measured, cut] = TRIMMED.exec(text) ?? [];
  if (trimmed === undefined) return undefined;
  return { name: (measured ?? cut)!, isWhole: false, end: at + trimmed.length - 1 };
}

/**
 * `$((2 * 3))`, `$((end - start))`: numbers, and variables that hold one, since the value of a variable is computed as well. Index of its
 * last character.
 */
export function readSum(text: string, at: number, isNumber: (name: string) => boolean): number | undefined {
  SUM.lastIndex = at;
  const [whole] = SUM.exec(text) ?? [];
  if (whole === undefined || /\+\+|--/.test(whole)) return undefined;
  const names = whole.match(/[A-Za-z_]\w*/g) ?? [];
  return names.every(isNumber) ? at + whole.length - 1 : undefined;
}

export const OPENS = '\u0010';
const CLOSES = '\u0011';
const HOLE = new RegExp(`${OPENS}(\\w+)${CLOSES}`, 'g');

/** Placeholder for a loop variable until its values are filled in. */
export function holeFor(name: string): string {
  return `${OPENS}${name}${CLOSES}`;
}

/** The words for every value of the variables in them; the same variable has the same value everywhere. undefined: too many. */
export function fillHoles(
  words: string[],
  valuesOf: (name: string) => string[] | undefined,
  max: number,
): string[][] | undefined {
  const names = new Set(words.flatMap((word) => [...word.matchAll(HOLE)].map(([, name]) => name!)));
  let filled = [words];
  for (const name of names) {
    const values = valuesOf(name) ?? [UNKNOWN];
    if (filled.length * values.length > max) return undefined;
    filled = values.flatMap((value) => filled.map((each) => each.map((word) => word.replaceAll(holeFor(name), value))));
  }
  return filled;
}
