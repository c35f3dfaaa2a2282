import { SEARCH_KINDS } from '../../contract/search-kinds.ts';
import { DomainError } from '../errors.ts';
import { localDay, parseDay, startOfDay } from './local-time.ts';

type SearchKind = (typeof SEARCH_KINDS)[number];

/** A word, or several in a row. */
export interface Term {
  /** As it was written: the index cuts and folds it by its own rules. */
  text: string;
  /** To find it again in a text that the index has found. */
  words: string[];
  /** The last word may go on: `deploy*` */
  isPrefix: boolean;
}

export interface ParsedQuery {
  /** All of these, */
  terms: Term[];
  /** and none of these. */
  without: Term[];
  /** One of each list, where there is one. */
  project: string[];
  branch: string[];
  model: string[];
  tool: string[];
  file: string[];
  kind: SearchKind[];
  isRunning: boolean;
  /** Epoch milliseconds: at or after. */
  after: number | null;
  /** Epoch milliseconds: before. */
  before: number | null;
  /** As they were written. */
  filters: { name: string; value: string }[];
}

const FILTERS = ['project', 'branch', 'model', 'tool', 'file', 'after', 'before', 'is', 'kind'] as const;
type FilterName = (typeof FILTERS)[number];
/** What people write who have another search in their fingers. */
const MEANT = new Map<string, FilterName>(
  Object.entries({
    since: 'after',
    from: 'after',
    until: 'before',
    repo: 'project',
    dir: 'project',
    path: 'file',
    type: 'kind',
  } as const),
);
/** The index takes no deeper expressions. */
const MAX_TERMS = 64;
const HOUR_MS = 3_600_000;

/** name:value, "a phrase" or a word, each perhaps with a minus. A quote that does not end, ends with the query. */
const PIECES = /(-?)(?:([a-z]+):("[^"]*"?|\S*)|("[^"]*"?)|(\S+))/gu;

export class BadQuery extends DomainError {
  constructor(message: string) {
    super('search.bad_query', 400, message);
  }
}

export function parseSearchQuery(text: string, { now, timeZone }: { now: number; timeZone: string }): ParsedQuery {
  const query: ParsedQuery = {
    terms: [],
    without: [],
    project: [],
    branch: [],
    model: [],
    tool: [],
    file: [],
    kind: [],
    isRunning: false,
    after: null,
    before: null,
    filters: [],
  };
  for (const [whole, minus = '', name, value = '', phrase, word] of text.matchAll(PIECES)) {
    const filter = name === undefined ? undefined : filterOf(name, value);
    if (filter) {
      if (minus) throw new BadQuery(`A filter cannot be turned around: ${whole}. Leave the minus out.`);
      addFilter(query, filter, unquoted(value), { now, timeZone });
      continue;
    }
    const term = toTerm(phrase ?? word ?? `${name}:${value}`);
    if (term) (minus ? query.without : query.terms).push(term);
  }
  if (query.terms.length + query.without.length > MAX_TERMS)
    throw new BadQuery(`That are more than ${MAX_TERMS} words. Use fewer.`);
  return query;
}

/** Undefined: the colon belongs to what is looked for, as in `node:fs` or `https://…`. */
function filterOf(name: string, value: string): FilterName | undefined {
  if ((FILTERS as readonly string[]).includes(name)) return name as FilterName;
  if (value === '' || /^[/:]/.test(value)) return undefined;
  const meant = MEANT.get(name) ?? FILTERS.find((filter) => filter.length > 2 && isTypo(name, filter));
  if (!meant) return undefined;
  throw new BadQuery(
    `There is no filter ${name}: – did you mean ${meant}:${value}? To look for the text itself, quote it: "${name}:${unquoted(value)}"`,
  );
}

/** One letter missing, too many, wrong, or two swapped. */
function isTypo(written: string, meant: string): boolean {
  if (Math.abs(written.length - meant.length) > 1) return false;
  let start = 0;
  while (start < meant.length && written[start] === meant[start]) start++;
  let end = 0;
  while (end < Math.min(written.length, meant.length) - start && written.at(-1 - end) === meant.at(-1 - end)) end++;
  const left = written.slice(start, written.length - end);
  const right = meant.slice(start, meant.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right === `${left[1]}${left[0]}`;
}

function addFilter(
  query: ParsedQuery,
  name: FilterName,
  value: string,
  clock: { now: number; timeZone: string },
): void {
  if (value === '') throw new BadQuery(`${name}: says nothing. ${HELP[name]}`);
  query.filters.push({ name, value });
  if (name === 'after') query.after = latest(query.after, toTime(name, value, clock).start);
  // before a day: the day itself is out
  else if (name === 'before') query.before = earliest(query.before, toTime(name, value, clock).start);
  else if (name === 'is') {
    if (value !== 'running') throw new BadQuery(`is:${value} is not known. ${HELP.is}`);
    query.isRunning = true;
  } else if (name === 'kind') {
    for (const kind of value.split(',')) query.kind.push(toKind(kind));
  } else query[name].push(value.toLowerCase());
}

const HELP: Record<FilterName, string> = {
  project: 'Its name or folder: project:groundcontrol',
  branch: 'Its name or a part of it: branch:main',
  model: 'Its name or a part of it: model:opus',
  tool: 'As the client calls it: tool:Bash',
  file: 'A file that was read or changed, or a part of its path: file:src/main.ts',
  after: 'A day or how long ago: after:2026-11-16, after:yesterday, after:7d',
  before: 'A day or how long ago: before:2026-11-16, before:yesterday, before:7d',
  is: 'There is only is:running',
  kind: `One of ${SEARCH_KINDS.join(', ')}: kind:prompt`,
};

function toKind(value: string): SearchKind {
  const kind = SEARCH_KINDS.find((known) => known === value.toLowerCase().replace('-', '_'));
  if (!kind) throw new BadQuery(`kind:${value} is not known. ${HELP.kind}`);
  return kind;
}

function toTime(name: 'after' | 'before', value: string, { now, timeZone }: { now: number; timeZone: string }) {
  const word = value.toLowerCase();
  const [, count, unit] = /^(\d{1,5})(h|d|w|m)$/.exec(word) ?? [];
  if (count && unit) {
    const hours = { h: 1, d: 24, w: 168, m: 730 }[unit as 'h' | 'd' | 'w' | 'm'];
    return { start: Math.max(0, now - Number(count) * hours * HOUR_MS) };
  }
  const today = localDay(now, timeZone);
  if (word === 'today') return { start: startOfDay(today, timeZone) };
  // noon is in the day before, whatever the clocks did in between
  if (word === 'yesterday')
    return { start: startOfDay(localDay(startOfDay(today, timeZone) - 12 * HOUR_MS, timeZone), timeZone) };
  const day = parseDay(value);
  if (day === undefined) throw new BadQuery(`${name}:${value} is no time. ${HELP[name]}`);
  return { start: startOfDay(day, timeZone) };
}

function latest(a: number | null, b: number): number {
  return a === null ? b : Math.max(a, b);
}

function earliest(a: number | null, b: number): number {
  return a === null ? b : Math.min(a, b);
}

function unquoted(value: string): string {
  return value.replace(/^"|"$/g, '').trim();
}

function toTerm(written: string): Term | undefined {
  const words = wordsOf(written);
  if (words.length === 0) return undefined;
  const isPrefix = !written.startsWith('"') && /[\p{L}\p{N}\p{Co}]\*$/u.test(written);
  // a quote would end the quoted word, a NUL the whole expression
  return { text: written.replace(/["\0]/g, ' ').trim(), words, isPrefix };
}

/** Nearly as the index cuts and compares words: what is neither letter nor number separates, case and accents do not count. */
export function wordsOf(text: string): string[] {
  return Array.from(text.matchAll(WORD), ([word]) => foldCase(word));
}

export const WORD = /[\p{L}\p{N}\p{Co}][\p{L}\p{N}\p{Co}\p{M}]*/gu;

export function foldCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** For the index. Every word is quoted, so nothing in it can be taken for its language. Null: no words to look for. */
export function toMatch({ terms, without, kind }: Pick<ParsedQuery, 'terms' | 'without' | 'kind'>): string | null {
  if (terms.length === 0) return null;
  const all = terms.map(quoted).join(' AND ');
  const said = `body : (${without.length === 0 ? all : `(${all}) NOT (${without.map(quoted).join(' OR ')})`})`;
  // two lists of rows that the index cuts with each other, where a look at each row would take ten times as long
  return kind.length === 0 ? said : `${said} AND kinds : (${kind.map((one) => `"${one}"`).join(' OR ')})`;
}

/** What is left out, where nothing else is looked for. */
export function toWithoutMatch({ without }: Pick<ParsedQuery, 'without'>): string | null {
  return without.length === 0 ? null : `body : (${without.map(quoted).join(' OR ')})`;
}

function quoted({ text, isPrefix }: Term): string {
  return isPrefix ? `"${text.slice(0, -1)}"*` : `"${text}"`;
}
