import type { QueryPart } from '../../../contract/search.ts';
import { SEARCH_KINDS } from '../../../contract/search-kinds.ts';
import { DomainError } from '../../errors.ts';
import { localDay, parseDay, startOfDay } from '../stats/local-time.ts';
import { foldText } from './fold-text.ts';
import { hasUnspaced, toQueryText } from './index-text.ts';

type SearchKind = (typeof SEARCH_KINDS)[number];

/** A word, or several in sequence. */
export interface Term {
  /** word: as people write them. text: a flag or path, matched exactly. phrase: quoted. */
  kind: 'word' | 'text' | 'phrase';
  written: string;
  /** For the index (search/index-text.ts). */
  match: string;
  /** The last word may continue: `deploy*`, or a single sign of a script without spaces. */
  isPrefix: boolean;
  /** Also matches longer words, ranked after exact ones. */
  mayGoOn: boolean;
  /** Must appear in the text literally, except for case and accents. */
  literal: string | null;
}

export interface ParsedQuery {
  /** All of these, */
  terms: Term[];
  /** and none of these. */
  without: Term[];
  /** One of each list, if there is one. */
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
  /** As written. */
  filters: { name: string; value: string }[];
  /** How each part of the query was interpreted, in order. */
  read: QueryPart[];
}

const FILTERS = ['project', 'branch', 'model', 'tool', 'file', 'after', 'before', 'is', 'kind'] as const;
type FilterName = (typeof FILTERS)[number];
/** Filter names people know from other search engines. */
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
/** The index supports no deeper expressions. */
const MAX_TERMS = 64;
const HOUR_MS = 3_600_000;

/** name:value, "a phrase" or a word, each perhaps with a minus. An unclosed quote ends with the query. */
const PIECES = /(-?)(?:([a-z]+):("[^"]*"?|\S*)|("[^"]*"?)|(\S+))/gu;
/** Flags, paths, and words that a sign makes another word: `+x`, `.env`, `$HOME`, `@types`, `C++`, `F#`. */
const MEANT_LITERALLY = /^-|[/\\]|^[+.$@#!%&~^][\p{L}\p{N}]|[\p{L}\p{N}](?:\+\+|#)$/u;
/** Shorter words match only exactly: too many start with them. */
const MIN_PREFIX = 4;

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
    read: [],
  };
  const pieces = splitQuery(text);
  for (const [place, { whole, minus, name, value, phrase, word }] of pieces.entries()) {
    const filter = name === undefined ? undefined : filterOf(name, value);
    if (filter) {
      if (minus) throw new BadQuery(`A filter can't be excluded: ${whole}. Remove the minus.`);
      addFilter(query, filter, unquoted(value), { now, timeZone });
      continue;
    }
    const isWithout = minus && isExclusion(pieces, place);
    const term = toTerm(isWithout ? whole.slice(1) : (phrase ?? (name === undefined ? `${minus}${word}` : whole)));
    if (!term) continue;
    (isWithout ? query.without : query.terms).push(term);
    // excluded words match exactly
    query.read.push(
      isWithout
        ? { kind: 'without', text: readAs(term), isPrefix: term.isPrefix }
        : { kind: term.kind, text: readAs(term), isPrefix: goesOn(term) },
    );
  }
  if (query.terms.length + query.without.length > MAX_TERMS)
    throw new BadQuery(`That's more than ${MAX_TERMS} words. Use fewer.`);
  return query;
}

interface Piece {
  whole: string;
  minus: string;
  name: string | undefined;
  value: string;
  phrase: string | undefined;
  word: string | undefined;
}

function splitQuery(text: string): Piece[] {
  return Array.from(text.matchAll(PIECES), ([whole, minus = '', name, value = '', phrase, word]) => ({
    whole,
    minus,
    name,
    value,
    phrase: minus && phrase !== undefined ? undefined : phrase,
    word: word ?? (minus ? phrase : undefined),
  }));
}

/**
 * `flaky -known` excludes "known", but `rm -rf build` and `find . -name x` are pasted commands: a minus excludes if only exclusions and
 * filters follow, or at the very start of more. Flags of one or two letters, with capitals or numbers, never do; quoted words always do.
 */
function isExclusion(pieces: Piece[], place: number): boolean {
  const { whole, word } = pieces[place]!;
  if (whole.startsWith('--') || word === undefined) return false;
  if (word.startsWith('"')) return true;
  if (!/^\p{L}[\p{L}\p{M}_.*-]{2,}$/u.test(word) || /\p{Lu}/u.test(word)) return hasUnspaced(word);
  const isLeftOut = ({ minus, name, value }: Piece) => minus !== '' || (name !== undefined && filterOf(name, value));
  // with nothing else to search for, pronounceable text is a word and not a row of flags
  if (pieces.every(({ minus }) => minus !== '')) return /[aeiouy]|[^a-z]/.test(word);
  return place === 0 || pieces.slice(place + 1).every(isLeftOut);
}

/** undefined: the colon is part of the search text, as in `node:fs` or `https://…`. */
function filterOf(name: string, value: string): FilterName | undefined {
  // file:///etc/hosts is an address
  if (value.startsWith('//')) return undefined;
  if ((FILTERS as readonly string[]).includes(name)) return name as FilterName;
  if (value === '' || /^[/:]/.test(value)) return undefined;
  const meant = MEANT.get(name) ?? FILTERS.find((filter) => filter.length > 2 && isTypo(name, filter));
  if (!meant) return undefined;
  throw new BadQuery(
    `There is no filter "${name}:". Did you mean ${meant}:${value}? To search for the text itself, quote it: "${name}:${unquoted(value)}"`,
  );
}

/** One letter missing, extra, wrong, or two swapped. */
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
  if (value === '') throw new BadQuery(`${name}: has no value. ${HELP[name]}`);
  query.filters.push({ name, value });
  query.read.push({ kind: 'filter', text: `${name}:${value}`, isPrefix: false });
  if (name === 'after') query.after = latest(query.after, toTime(name, value, clock).start);
  // before a day: the day itself is excluded
  else if (name === 'before') query.before = earliest(query.before, toTime(name, value, clock).start);
  else if (name === 'is') {
    if (value !== 'running') throw new BadQuery(`Unknown filter is:${value}. ${HELP.is}`);
    query.isRunning = true;
  } else if (name === 'kind') {
    for (const kind of value.split(',')) query.kind.push(toKind(kind));
  } else query[name].push(value.toLowerCase());
}

const HELP: Record<FilterName, string> = {
  project: 'Its name or folder: project:groundcontrol',
  branch: 'Its name or a part of it: branch:main',
  model: 'Its name or a part of it: model:opus',
  tool: "The tool's name in Claude Code: tool:Bash",
  file: 'A file that was read or changed, or a part of its path: file:src/main.ts',
  after: 'A day or how long ago: after:2026-11-16, after:yesterday, after:7d',
  before: 'A day or how long ago: before:2026-11-16, before:yesterday, before:7d',
  is: 'The only value is is:running',
  kind: `One of ${SEARCH_KINDS.join(', ')}: kind:prompt`,
};

function toKind(value: string): SearchKind {
  const kind = SEARCH_KINDS.find((known) => known === value.toLowerCase().replace('-', '_'));
  if (!kind) throw new BadQuery(`Unknown kind:${value}. ${HELP.kind}`);
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
  // noon is in the previous day, whatever the clocks did in between
  if (word === 'yesterday')
    return { start: startOfDay(localDay(startOfDay(today, timeZone) - 12 * HOUR_MS, timeZone), timeZone) };
  const day = parseDay(value);
  if (day === undefined) throw new BadQuery(`${name}:${value} isn't a time. ${HELP[name]}`);
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
  const isQuoted = written.startsWith('"');
  const bare = isQuoted ? unquoted(written) : written;
  const hasStar = !isQuoted && /[\p{L}\p{N}\p{Co}]\*$/u.test(bare);
  // a quote would end the quoted word, a NUL the whole expression
  const text = (hasStar ? bare.slice(0, -1) : bare).replace(/["\0]/g, ' ').trim();
  const { text: match, isPrefix } = toQueryText(text);
  if (!/[\p{L}\p{N}\p{Co}]/u.test(match)) return undefined;
  const isText = !isQuoted && MEANT_LITERALLY.test(text);
  return {
    kind: isQuoted ? 'phrase' : isText ? 'text' : 'word',
    written: text,
    match,
    isPrefix: hasStar || isPrefix,
    mayGoOn: !isQuoted && !hasStar && canGoOn(match),
    literal: isText && !hasStar ? foldText(text) : null,
  };
}

/** Numbers match exactly; character pairs already match anywhere in a sentence. A name like `user_id` is one word, whatever its last part is. */
function canGoOn(match: string): boolean {
  const name = /[\p{L}\p{N}\p{Co}_]+$/u.exec(match)?.[0] ?? '';
  const last = name.slice(name.lastIndexOf('_') + 1);
  return [...name].length >= MIN_PREFIX && /\p{L}/u.test(last) && !hasUnspaced(last);
}

function goesOn({ isPrefix, mayGoOn, written }: Term): boolean {
  return mayGoOn || (isPrefix && !hasUnspaced(written));
}

function readAs({ kind, written }: Term): string {
  return kind === 'phrase' ? `"${written}"` : written;
}

/** Phrases with this prefix; undefined: too many. */
type Expand = (phrase: string) => string[] | undefined;

/** For the index: all of the terms and none of the excluded ones. Every word is quoted, so nothing in it is taken for query syntax. */
export function toMatch(
  { terms, without }: Pick<ParsedQuery, 'terms' | 'without'>,
  { goesOn, expand = () => undefined }: { goesOn: boolean; expand?: Expand },
): string | null {
  if (terms.length === 0) return null;
  const all = terms.map((term) => quoted(term, { goesOn, expand })).join(' AND ');
  const none = without.map((term) => quoted(term, { goesOn: false, expand })).join(' OR ');
  return none === '' ? `body : (${all})` : `body : ((${all}) NOT (${none}))`;
}

/** All of the words one after the other, as in a pasted message. null: there are no several words. */
export function toSequence({ terms }: Pick<ParsedQuery, 'terms'>): string | null {
  return terms.length < 2 ? null : `body : "${terms.map(({ match }) => match).join(' ')}"`;
}

/** The excluded words, if nothing else is searched for. */
export function toWithoutMatch({ without }: Pick<ParsedQuery, 'without'>): string | null {
  if (without.length === 0) return null;
  return `body : (${without.map((term) => quoted(term, { goesOn: false, expand: () => undefined })).join(' OR ')})`;
}

function quoted({ match, isPrefix, mayGoOn }: Term, { goesOn, expand }: { goesOn: boolean; expand: Expand }): string {
  if (!isPrefix && !(goesOn && mayGoOn)) return `"${match}"`;
  const phrases = expand(match);
  if (!phrases) return `"${match}"*`;
  // one that isn't in the index finds nothing
  return phrases.length > 0 ? `(${phrases.map((phrase) => `"${phrase}"`).join(' OR ')})` : `"${match}"`;
}
