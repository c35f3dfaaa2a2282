import { describe, expect, it } from 'vitest';
import { InvalidPattern } from './invalid-pattern.ts';
import { pathMatcher } from './match-path.ts';
import { type RealPath, resolvePath } from './resolve-path.ts';

/** /w/link leads to /etc, and the project is also known as /p. */
const realPath: RealPath = (path) => path.replace(/^\/w\/link(?=\/|$)/, '/etc').replace(/^\/p(?=\/|$)/, '/w/app');
const at = (path: string) => resolvePath(path, { cwd: '/w/app', home: '/home/op', realPath });
const places = { realPath, home: at('/home/op'), base: at('/w/app') };
const allows = (pattern: string, path: string) => pathMatcher(pattern, { wide: false }).allows(at(path), places);
const catches = (pattern: string, path: string) => pathMatcher(pattern, { wide: true }).catches(at(path), places);

describe('a path pattern', () => {
  it.each([
    ['/w/app/src/**', '/w/app/src/a.ts', true],
    ['/w/app/src/**', '/w/app/src/a/b/c.ts', true],
    ['/w/app/src/**', '/w/app/src', true],
    ['/w/app/src/**', '/w/app/srcx/a.ts', false],
    ['/w/app/src/**', '/w/app/src/../secret', false],
    ['/w/app/src/**', 'src/a.ts', true],
    ['/w/app/src/**', '../app/src/a.ts', true],
    ['/w/app/src/*', '/w/app/src/a.ts', true],
    ['/w/app/src/*', '/w/app/src/a/b.ts', false],
    ['/w/app/src/', '/w/app/src', true],
    ['/w/app/**/test/*.ts', '/w/app/test/a.ts', true],
    ['/w/app/**/test/*.ts', '/w/app/x/y/test/a.ts', true],
    ['/w/app/**/test/*.ts', '/w/app/x/y/test/z/a.ts', false],
    ['/w/app/a?.ts', '/w/app/ab.ts', true],
    ['/w/app/a?.ts', '/w/app/a/.ts', false],
    ['./**', '/w/app/x/y', true],
    ['./**', '/w/app', true],
    ['./**', '/w/other', false],
    ['./**', '/etc/passwd', false],
    ['src/**', '/w/app/src/a.ts', true],
    ['src/**', '/elsewhere/src/a.ts', false],
    ['*.md', '/anywhere/at/all/x.md', true],
    ['*.md', '/w/app/x.mdx', false],
    ['**/*.md', '/w/app/docs/x.md', true],
    ['**/*.md', '/x.md', true],
    ['.env', '/w/app/.env', true],
    ['~/notes/**', '~/notes/a.txt', true],
    ['~/notes/**', '/home/op/notes/a.txt', true],
    ['~/notes/**', '/home/other/notes/a.txt', false],
    ['*', '/etc/passwd', true],
    ['**', '/etc/passwd', true],
    ['/w/app/{src,test}/**|/w/docs/**', '/w/docs/a', true],
    ['/w/app/[id].tsx', '/w/app/[id].tsx', true],
    // links are followed, in the path and in the pattern's own folder
    ['/w/**', '/w/link/passwd', false],
    ['/etc/**', '/w/link/passwd', true],
    ['/p/src/**', '/p/src/a.ts', true],
    ['/p/src/**', '/p/link', false],
    ['/w/app/**', '/p/a.ts', true],
    // what can't be determined is never allowed
    ['**', '~root/x', false],
    ['**', '$X/y', false],
  ])('%s allows %s: %s', (pattern, path, expected) => expect(allows(pattern, path)).toBe(expected));

  it.each([
    ['/etc/**', '/etc/passwd', 'yes'],
    ['/etc/**', '/w/link/passwd', 'yes'],
    ['/w/link/**', '/w/link/passwd', 'yes'],
    ['.env', '/w/app/.ENV', 'yes'],
    ['/w/app/secret/**', '/W/App/Secret/x', 'yes'],
    ['/w/app/caf\u00e9', '/w/app/cafe\u0301', 'yes'],
    ['/etc/**', '/w/app/../../etc/passwd', 'yes'],
    ['/etc/**', '/w/app/x', 'no'],
    ['~/.ssh/**', '~/.ssh/id_rsa', 'yes'],
    ['/home/op/.ssh/**', '$HOME/.ssh/id_rsa', 'yes'],
    ['/etc/**', '~root/x', 'maybe'],
    ['/etc/**', '/proc/self/root/etc/passwd', 'maybe'],
  ])('%s catches %s: %s', (pattern, path, expected) => expect(catches(pattern, path)).toBe(expected));

  it.each(['../x', '/w/../etc/**', '/a/**/b/**/c/**/d/**/e/**', '/{a,b,c,d,e,f}/**/{x,y,z}/**'])(
    'that is invalid is refused: %s',
    (pattern) => expect(() => pathMatcher(pattern, { wide: false })).toThrow(InvalidPattern),
  );
});
