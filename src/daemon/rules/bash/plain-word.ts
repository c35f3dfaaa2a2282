import { FOUND } from '../marks.ts';

const MAX_WORDS = 32;
const MAX_BRACED = 500;
/** `stash@{0}`, `main@{upstream}`, `/repos/{owner}/{repo}`: no shell expands these. */
const LITERAL = /^[\w./^~@:?&=-]+(?:\{-?\w+\}[\w./^~@:?&=-]*)+$/;

/** The words one unquoted word expands to: braces expanded, escapes removed, file globs marked. undefined if that can't be determined. */
export function plainWords(source: string): string[] | undefined {
  // `~someone`, `~+`: not the user's own home
  if (/^~[^/]/.test(source)) return undefined;
  if (!/[{}]/.test(source) || source === '{' || source === '}' || LITERAL.test(source)) return [markGlobs(source)];
  if (source.length > MAX_BRACED || /[\\"'`$]|\.\./.test(source)) return undefined;
  const words = expandBraces(source);
  // bash and zsh differ on unmatched braces and braces without a comma; `{}` is plain text in both
  return words?.every((word) => !/[{}]/.test(word.replaceAll('{}', '')))
    ? words.filter((word) => word !== '').map(markGlobs)
    : undefined;
}

/** `a{b,c}` is `ab ac`. */
function expandBraces(source: string): string[] | undefined {
  const group = findGroup(source);
  if (!group) return [source];
  const { from, to, parts } = group;
  const words: string[] = [];
  for (const part of parts) {
    const rest = expandBraces(source.slice(0, from) + part + source.slice(to + 1));
    if (!rest || words.length + rest.length > MAX_WORDS) return undefined;
    words.push(...rest);
  }
  return words;
}

function findGroup(source: string): { from: number; to: number; parts: string[] } | undefined {
  for (let from = source.indexOf('{'); from !== -1; from = source.indexOf('{', from + 1)) {
    let depth = 0;
    let start = from + 1;
    const parts: string[] = [];
    for (let at = from; at < source.length; at++) {
      const char = source[at];
      if (char === '{') depth++;
      if (char === '}') depth--;
      if ((char === ',' && depth === 1) || depth === 0) {
        parts.push(source.slice(start, at));
        start = at + 1;
      }
      if (depth > 0) continue;
      if (parts.length > 1) return { from, to: at, parts };
      break;
    }
  }
  return undefined;
}

function markGlobs(source: string): string {
  let value = '';
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    if (char === '\\') {
      const next = source[++at];
      if (next !== '\n') value += next ?? '';
    } else if (char === '*' || char === '?') value += FOUND;
    // what matches a bracket ends somewhere in the rest of the word
    else if (char === '[' && source !== '[') return value + FOUND;
    else value += char;
  }
  return value;
}
