import { InvalidPattern } from './invalid-pattern.ts';
import { WORD_BREAK } from './marks.ts';

/** `many`: `*` or `**` (`deep`). `one`: `?`. */
export type Wildcard = { many: boolean; deep: boolean };
/** Literal text, or a wildcard. */
export type PatternPart = string | Wildcard;

const MAX_ALTERNATIVES = 32;
const MAX_EXPANDED = 4000;
/** Placeholder for `''`, or the surrounding blanks would be taken for the end of the pattern. */
export const EMPTY_WORD = '\u0002';

type Item = { is: 'text'; text: string } | { is: 'wildcard'; wildcard: Wildcard } | { is: '{' | '}' | ',' | '|' };

/**
 * The alternatives of a pattern: `a|b` and `{a,b}` expanded, `\` escaping the next character. With `words`, spaces separate words and
 * quotes group them, as in a shell (wildcards work in quotes too).
 */
export function parsePattern(pattern: string, { words = false } = {}): PatternPart[][] {
  const items = groupsOnly(words ? readWords(pattern) : readItems(pattern));
  const alternatives = expand(items, pattern).map(merge);
  const size = alternatives.flat().reduce((sum, part) => sum + (typeof part === 'string' ? part.length : 1), 0);
  if (size > MAX_EXPANDED) throw new InvalidPattern(pattern, 'is too long when its alternatives are written out');
  if (alternatives.some((parts) => parts.length === 0)) throw new InvalidPattern(pattern, 'has an empty alternative');
  return alternatives;
}

function readItems(pattern: string): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < pattern.length; at++) at = readItem(pattern, at, items);
  return items;
}

/** Reads one item and returns the index of its last character. */
function readItem(pattern: string, at: number, items: Item[]): number {
  const char = pattern[at]!;
  switch (char) {
    case '\\':
      items.push({ is: 'text', text: pattern[at + 1] ?? '\\' });
      return at + 1;
    case '*': {
      let end = at;
      while (pattern[end + 1] === '*') end++;
      items.push({ is: 'wildcard', wildcard: { many: true, deep: end > at } });
      return end;
    }
    case '?':
      items.push({ is: 'wildcard', wildcard: { many: false, deep: false } });
      return at;
    case '{':
    case '}':
    case ',':
    case '|':
      items.push({ is: char });
      return at;
    default:
      items.push({ is: 'text', text: char });
      return at;
  }
}

function readWords(pattern: string): Item[] {
  const items: Item[] = [];
  const wordStart = () => {
    const last = items.at(-1);
    return !last || (last.is === 'text' ? last.text === WORD_BREAK || last.text === '=' : last.is !== 'wildcard');
  };
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at]!;
    if (/\s/.test(char)) {
      items.push({ is: 'text', text: WORD_BREAK });
      while (/\s/.test(pattern[at + 1] ?? '')) at++;
      continue;
    }
    // inside a word, a quote is an apostrophe: `git commit -m don't*`
    const isQuote = (char === '"' || char === "'") && wordStart();
    // `awk '{print *`: the rest is in quotes
    const closed = isQuote ? pattern.indexOf(char, at + 1) : -1;
    const close = isQuote && closed === -1 && pattern.endsWith('*') ? pattern.length : closed;
    if (close === -1) {
      at = readItem(pattern, at, items);
      continue;
    }
    const quoted =
      close === at + 1 ? [{ is: 'text', text: EMPTY_WORD } as const] : readItems(pattern.slice(at + 1, close));
    items.push(...quoted.map((item) => (item.is === 'wildcard' ? item : asText(item))));
    at = close;
  }
  return items;
}

function asText(item: Item): Item {
  return item.is === 'text' || item.is === 'wildcard' ? item : { is: 'text', text: item.is };
}

/** Braces without alternatives are literal: `find . -name {}`, a lone `}`. So is a comma outside braces. */
function groupsOnly(items: Item[]): Item[] {
  const isGroup = new Set<number>();
  const open: { at: number; parts: number[] }[] = [];
  for (const [at, item] of items.entries()) {
    if (item.is === '{') open.push({ at, parts: [] });
    if (item.is === ',' || item.is === '|') open.at(-1)?.parts.push(at);
    if (item.is !== '}') continue;
    const group = open.pop();
    if (group && group.parts.length > 0) for (const index of [group.at, ...group.parts, at]) isGroup.add(index);
  }
  // a bar inside braces that contain nothing else, or that never close, still separates
  return items.map((item, at) => (isGroup.has(at) || item.is === '|' ? item : asText(item)));
}

function expand(items: Item[], pattern: string): PatternPart[][] {
  let at = 0;
  const alternatives = (closing: boolean): PatternPart[][] => {
    const done: PatternPart[][] = [];
    let current: PatternPart[][] = [[]];
    for (; at < items.length; at++) {
      const item = items[at]!;
      if (item.is === '}' && closing) break;
      if (item.is === '|' || item.is === ',') {
        done.push(...current);
        current = [[]];
      } else if (item.is === '{') {
        at++;
        const inner = alternatives(true);
        current = current.flatMap((head) => inner.map((tail) => [...head, ...tail]));
      } else {
        const part = item.is === 'wildcard' ? item.wildcard : item.is === 'text' ? item.text : item.is;
        for (const head of current) head.push(part);
      }
      if (done.length + current.length > MAX_ALTERNATIVES) {
        throw new InvalidPattern(pattern, `has more than ${MAX_ALTERNATIVES} alternatives`);
      }
    }
    return [...done, ...current];
  };
  return alternatives(false);
}

function merge(parts: PatternPart[]): PatternPart[] {
  const merged: PatternPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else if (typeof part === 'object' && typeof last === 'object' && part.many && last.many) last.deep ||= part.deep;
    else merged.push(typeof part === 'string' ? part : { ...part });
  }
  return merged;
}
