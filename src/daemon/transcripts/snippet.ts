import type { SearchHit } from '../../contract/search.ts';
import { foldCase, type Term, WORD } from './search-query.ts';

type Snippet = SearchHit['snippet'];

const LENGTH = 240;
/** What stands before the first match. */
const LEAD = 60;
/** So much around the place is looked at: to cut a megabyte of output into words takes longer than a person waits. */
const WINDOW = 4000;

/** The place in a text where what was looked for stands close together, with the matches marked. */
export function makeSnippet(text: string, terms: readonly Term[]): Snippet {
  const opened = safe(text, Math.max(0, findPlace(text, terms) - WINDOW / 4));
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

/** Where the longest word first stands: it is the rarest, as a rule. Words that are written with accents only are found at the start of a text. */
function findPlace(text: string, terms: readonly Term[]): number {
  const longest = terms.toSorted((a, b) => b.words.join().length - a.words.join().length);
  for (const { words, isPrefix } of longest) {
    const end = isPrefix ? '' : '(?![\\p{L}\\p{N}])';
    const pattern = `(?<![\\p{L}\\p{N}])${words.map(escapePattern).join('[^\\p{L}\\p{N}]{1,20}')}${end}`;
    const place = text.search(new RegExp(pattern, 'iu'));
    if (place !== -1) return place;
  }
  return 0;
}

function escapePattern(word: string): string {
  return word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

interface Span {
  start: number;
  end: number;
  term: number;
}

function findMatches(text: string, terms: readonly Term[]): Span[] {
  const words = Array.from(text.matchAll(WORD), ({ 0: word, index }) => ({ index, length: word.length, word }));
  const folded = words.map(({ word }) => foldCase(word));
  const found: Span[] = [];
  for (let at = 0; at < words.length; at++) {
    const term = terms.findIndex((candidate) => standsAt(folded, at, candidate));
    if (term === -1) continue;
    const last = words[at + terms[term]!.words.length - 1]!;
    found.push({ start: words[at]!.index, end: last.index + last.length, term });
    at += terms[term]!.words.length - 1;
  }
  return found;
}

function standsAt(folded: readonly string[], at: number, { words, isPrefix }: Term): boolean {
  return words.every((word, index) => {
    const here = folded[at + index];
    return isPrefix && index === words.length - 1 ? here?.startsWith(word) : here === word;
  });
}

/** Where a snippet should begin to hold as many different terms as possible. */
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

/** A little before the match, at the beginning of a word. */
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
