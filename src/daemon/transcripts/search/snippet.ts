import type { SearchHit } from '../../../contract/search.ts';
import { foldWithPlaces } from './fold-text.ts';
import type { Term } from './search-query.ts';
import { termPattern } from './term-pattern.ts';

type Snippet = SearchHit['snippet'];

const LENGTH = 240;
/** Text before the first match. */
const LEAD = 60;
/** How much around the match is inspected: splitting a megabyte of output into words takes longer than a person waits. */
const WINDOW = 4000;
const CHUNK = 8000;
const OVERLAP = 400;

/** Where the search terms are close together in a text, with the matches marked. */
export function makeSnippet(text: string, terms: readonly Term[]): Snippet {
  const opened = safe(text, Math.max(0, findCheckout(text, terms) - WINDOW / 4));
  const near = text.slice(opened, safe(text, opened + WINDOW));
  const matches = findMatches(near, terms);
  const from = startOf(near, densest(matches));
  const to = endOf(near, from + LENGTH);
  const snippet: Snippet = [];
  let at = from;
  for (const { start, end } of matches) {
    if (start < at || end > to) continue;
    push(snippet, near.slice(at, start), false);
    push(snippet, near.slice(start, end), true);
    at = end;
  }
  push(snippet, near.slice(at, to), false);
  if (opened + from > 0) snippet.unshift({ text: '…', match: false });
  if (opened + to < text.length) snippet.push({ text: '…', match: false });
  return joined(snippet);
}

/** Where the longest term first appears: it is usually the rarest. */
function findCheckout(text: string, terms: readonly Term[]): number {
  const longest = terms.toSorted((a, b) => b.written.length - a.written.length);
  for (const term of longest) {
    const place = findTerm(text, termPattern(term));
    if (place !== -1) return place;
  }
  return 0;
}

/** In chunks: most texts have it near the start. */
function findTerm(text: string, pattern: RegExp): number {
  for (let from = 0; from < text.length; from += CHUNK) {
    const chunk = foldWithPlaces(text.slice(from, from + CHUNK + OVERLAP));
    const place = chunk.text.search(pattern);
    if (place !== -1) return from + chunk.originalAt(place);
  }
  return -1;
}

interface Span {
  start: number;
  end: number;
  term: number;
}

function findMatches(text: string, terms: readonly Term[]): Span[] {
  const folded = foldWithPlaces(text);
  const found = terms.flatMap((term, index) =>
    Array.from(folded.text.matchAll(termPattern(term)), ({ 0: match, index: at }) => ({
      start: folded.originalAt(at),
      end: folded.originalAt(at + match.length),
      term: index,
    })),
  );
  return found.filter(({ start, end }) => end > start).sort((a, b) => a.start - b.start || b.end - a.end);
}

/** Where a snippet should start to contain as many different terms as possible. */
function densest(matches: readonly Span[]): number {
  let best = 0;
  let bestCount = 0;
  for (const { start } of matches) {
    const near = matches.filter((other) => other.start >= start && other.end <= start + LENGTH - LEAD);
    const count = new Set(near.map(({ term }) => term)).size;
    if (count > bestCount) {
      best = start;
      bestCount = count;
    }
  }
  return bestCount > 0 ? best : (matches[0]?.start ?? 0);
}

/** Slightly before the match, at the start of a word. */
function startOf(text: string, match: number): number {
  if (match <= LEAD) return 0;
  const from = match - LEAD;
  const space = text.slice(from, match).search(/\s/);
  return space === -1 ? safe(text, from) : from + space + 1;
}

function endOf(text: string, end: number): number {
  return end >= text.length ? text.length : safe(text, end);
}

/** Never between the two halves of a character. */
function safe(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at + 1 : at;
}

function push(snippet: Snippet, text: string, match: boolean): void {
  // an excerpt is one line, however the text was broken
  const flat = text.replace(/\s+/g, ' ');
  if (flat !== '') snippet.push({ text: flat, match });
}

function joined(snippet: Snippet): Snippet {
  const result: Snippet = [];
  for (const part of snippet) {
    const last = result.at(-1);
    if (last && last.match === part.match) last.text += part.text;
    else result.push({ ...part });
  }
  return result;
}
