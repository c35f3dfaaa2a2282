import { InvalidPattern } from '../invalid-pattern.ts';
import { FOUND } from '../marks.ts';
import { parsePattern } from '../parse-pattern.ts';

/** What a search for files by a pattern is about. */
export interface GlobPaths {
  /** Folders (or files) that nothing it finds lies outside of; undefined where it could be anywhere. */
  starts: (string | undefined)[];
  /** Paths that it names behind a wildcard: `secrets` of `**\/secrets/*`. */
  named: string[];
  /** Names of files that it asks for, FOUND for a wildcard in them: `.e…` of `**\/.e*`. */
  files: string[];
}

const WILD = /[*?[\]{}()!+@]/;

/** What the pattern of a `Glob` means as a path, seen from the folder that it is given. */
export function globPaths(pattern: string, folder: string): GlobPaths {
  const each = alternatives(pattern)?.map((one) => readOne(one, folder));
  if (!each) return { starts: [undefined], named: [], files: [] };
  return {
    starts: each.map(({ start }) => start),
    named: each.flatMap(({ named }) => named),
    files: each.flatMap(({ files }) => files),
  };
}

function readOne(pattern: string, folder: string): { start: string | undefined; named: string[]; files: string[] } {
  const segments = pattern.split('/');
  const wildAt = segments.findIndex((segment) => WILD.test(segment));
  const still = wildAt === -1 ? segments : segments.slice(0, wildAt);
  const rest = wildAt === -1 ? [] : segments.slice(wildAt);
  const root = /^[/~$]/.test(pattern) ? '' : `${folder}/`;
  const start = `${root}${still.join('/')}`.replace(/(?<=.)\/+$/, '') || '/';
  const literal = rest.filter((segment) => segment !== '' && !WILD.test(segment));
  const file = rest.at(-1)?.replace(/\[[^\]]*\]|[*?]+/g, FOUND) ?? '';
  return {
    start: rest.some((segment) => segment.includes('..')) ? undefined : start,
    named: literal.length > 0 ? [[start, ...literal].join('/')] : [],
    files: file.replaceAll(FOUND, '') === '' ? [] : [file],
  };
}

/** With `{a,b}` written out. undefined: that is too much. */
function alternatives(pattern: string): string[] | undefined {
  if (!pattern.includes('{')) return [pattern];
  try {
    return parsePattern(pattern).map((parts) =>
      parts.map((part) => (typeof part === 'string' ? part : part.many ? '*' : '?')).join(''),
    );
  } catch (error) {
    if (error instanceof InvalidPattern) return undefined;
    throw error;
  }
}
