import type { Token } from './glob/automaton.ts';
import { Glob } from './glob/glob.ts';
import { InvalidPattern } from './invalid-pattern.ts';
import { isKnown, knownStart } from './marks.ts';
import type { Match } from './match.ts';
import { type PatternPart, parsePattern } from './parse-pattern.ts';
import type { RealPath, ResolvedPath } from './resolve-path.ts';

/** Where a pattern starts: at the root, at home, at the project, or at any file name (`*.md`). */
type Anchor = 'root' | 'home' | 'base' | 'name';

interface PathGlob {
  anchor: Anchor;
  glob: Glob;
}

export interface PathRoots {
  realPath: RealPath;
  home: ResolvedPath | undefined;
  base: ResolvedPath | undefined;
}

export interface PathMatcher {
  globs: Glob[];
  /** For allow: with every link followed, or no match. */
  allows(path: ResolvedPath, places: PathRoots): boolean;
  /** For deny and ask: as written or with links followed, ignoring case, since some disks do. */
  catches(path: ResolvedPath, places: PathRoots): Match;
  /** The same for a file name alone, which may still contain wildcards. */
  catchesName(name: string): Match;
}

const MAX_DEEP = 4;
const MAX_GLOBS = 32;

export function pathMatcher(pattern: string, { wide }: { wide: boolean }): PathMatcher {
  const text = wide ? fold(pattern) : pattern;
  const globs = parsePattern(text).flatMap((parts) => anchored(parts, pattern));
  if (globs.length > MAX_GLOBS) throw new InvalidPattern(pattern, 'has too many alternatives');
  return {
    globs: globs.map(({ glob }) => glob),
    allows: (path, places) => globs.some((one) => allows(one, path, places)),
    catches(path, places) {
      const texts = [path.written, ...(path.real === undefined ? [] : [path.real])].map(fold);
      if (globs.some((one) => texts.some((each) => catches(one, each, places)))) return 'yes';
      return path.problem === undefined ? 'no' : 'maybe';
    },
    catchesName(name) {
      const text = fold(name);
      const names = globs.filter(({ anchor }) => anchor === 'name').map(({ glob }) => glob);
      if (isKnown(text)) return names.some((glob) => glob.matches(text)) ? 'yes' : 'no';
      return names.some((glob) => glob.couldMatch(text, knownStart(text))) ? 'maybe' : 'no';
    },
  };
}

/** Letter by letter, so part of a text folds the same way as within the whole. */
export function fold(text: string): string {
  return text.normalize('NFC').replace(/[^\x20-\x40\x5b-\x7e]/gu, (char) => char.toLowerCase());
}

function anchored(parts: PatternPart[], pattern: string): PathGlob[] {
  const literal = parts.map((part) => (typeof part === 'string' ? part : '*')).join('');
  if (literal.split('/').includes('..'))
    throw new InvalidPattern(pattern, 'contains `..`: write the resolved path instead');
  const { anchor, rest } = findAnchor(parts);
  return shallower(withoutLastSlash(rest), pattern).map((each) => ({
    anchor,
    glob: new Glob(each.map(toToken), pattern),
  }));
}

function findAnchor(parts: PatternPart[]): { anchor: Anchor; rest: PatternPart[] } {
  const [first, second] = parts;
  if (typeof first === 'object') {
    const anyFolder = first.deep && typeof second === 'string' && second.startsWith('/');
    if (anyFolder) return { anchor: 'root', rest: ['/', ...parts] };
  }
  if (typeof first === 'string') {
    if (first.startsWith('/')) return { anchor: 'root', rest: parts };
    const [start] = /^(?:~|\$home|\$\{home\}|\.)(?:\/|$)/i.exec(first) ?? [];
    if (start !== undefined && (start.endsWith('/') || parts.length === 1)) {
      const rest = first.slice(start.length);
      return { anchor: start.startsWith('.') ? 'base' : 'home', rest: [...(rest ? [rest] : []), ...parts.slice(1)] };
    }
  }
  const hasFolder = parts.some((part) => typeof part === 'string' && part.includes('/'));
  return { anchor: hasFolder ? 'base' : 'name', rest: parts };
}

// a deep wildcard may stand for no folder at all: `a/**/b` is `a/b` too, and `a/**` is `a`
function shallower(parts: PatternPart[], pattern: string): PatternPart[][] {
  const deep = parts.filter((part) => typeof part === 'object' && part.deep).length;
  if (deep > MAX_DEEP) throw new InvalidPattern(pattern, `has more than ${MAX_DEEP} \`**\``);
  let all: PatternPart[][] = [parts];
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at]!;
    const before = parts[at - 1];
    const after = parts[at + 1];
    if (typeof part === 'string' || !part.deep) continue;
    if (typeof before !== 'string' || !before.endsWith('/')) continue;
    if (after !== undefined && (typeof after !== 'string' || !after.startsWith('/'))) continue;
    const joined = before.slice(0, -1) + (typeof after === 'string' ? after : '');
    all = all.flatMap((each) => {
      const tail = each.slice(at + (after === undefined ? 1 : 2));
      return [each, [...each.slice(0, at - 1), joined || '/', ...tail]];
    });
  }
  return all.map(mergeText);
}

function mergeText(parts: PatternPart[]): PatternPart[] {
  const merged: PatternPart[] = [];
  for (const part of parts) {
    const last = merged.at(-1);
    if (typeof part === 'string' && typeof last === 'string') merged[merged.length - 1] = last + part;
    else merged.push(part);
  }
  return merged;
}

function withoutLastSlash(parts: PatternPart[]): PatternPart[] {
  const last = parts.at(-1);
  if (typeof last !== 'string' || !last.endsWith('/') || (parts.length === 1 && last === '/')) return parts;
  const trimmed = last.replace(/\/+$/, '');
  return trimmed ? [...parts.slice(0, -1), trimmed] : parts.slice(0, -1);
}

function toToken(part: PatternPart): Token {
  return typeof part === 'string' ? part : { many: part.many, stops: part.deep ? '' : '/' };
}

function allows({ anchor, glob }: PathGlob, path: ResolvedPath, { home, base, realPath }: PathRoots): boolean {
  const { real, written } = path;
  if (real === undefined) return false;
  if (anchor === 'name') return glob.matches(baseName(real));
  if (anchor === 'root')
    return glob.matches(real) || (glob.matches(written) && glob.matches(asNamed(glob, real, realPath)));
  const from = (anchor === 'home' ? home : base)?.real;
  const inside = from === undefined ? undefined : relativeTo(from, real);
  return inside !== undefined && glob.matches(inside);
}

/** The pattern's own folder may be behind a link (`/tmp` on a Mac): the real path, in the pattern's spelling. */
function asNamed(glob: Glob, real: string, realPath: RealPath): string {
  const folder = glob.prefix.slice(0, glob.prefix.lastIndexOf('/')) || '/';
  const realFolder = realPath(folder);
  const inside = realFolder === undefined ? undefined : relativeTo(realFolder, real);
  if (inside === undefined) return real;
  return inside === '' ? folder : `${folder === '/' ? '' : folder}/${inside}`;
}

function catches({ anchor, glob }: PathGlob, text: string, { home, base }: PathRoots): boolean {
  if (anchor === 'name') return glob.matches(baseName(text));
  if (anchor === 'root') return glob.matches(text);
  const from = anchor === 'home' ? home : base;
  return [from?.written, from?.real].some((folder) => {
    const inside = folder === undefined ? undefined : relativeTo(fold(folder), text);
    return inside !== undefined && glob.matches(inside);
  });
}

/** The path relative to a folder; undefined outside it. */
export function relativeTo(folder: string, path: string): string | undefined {
  if (path === folder) return '';
  const start = folder === '/' ? '/' : `${folder}/`;
  return path.startsWith(start) ? path.slice(start.length) : undefined;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
