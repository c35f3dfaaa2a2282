import { InvalidPattern } from '../invalid-pattern.ts';
import { FOUND } from '../marks.ts';
import { parsePattern } from '../parse-pattern.ts';

/** What a file search by pattern is about. */
export interface GlobPaths {
  /** Folders (or files) that contain everything it finds; undefined if it could be anywhere. */
  starts: (string | undefined)[];
  /** Paths named after a wildcard: `secrets` in `**\/secrets/*`. */
  named: string[];
  /** File names it asks for, with FOUND for a wildcard: `.e…` in `**\/.e*`. */
  files: string[];
}

const WILD = /[*?[\]{}()!+@]/;

/** What a `Glob`'s pattern means as a path, relative to its folder. */
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

/** With `{a,b}` expanded. undefined: too many. */
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
