import { describe, expect, it } from 'vitest';
import { FOUND } from '../marks.ts';
import { globPaths } from './glob-paths.ts';

describe('the pattern of a Glob', () => {
  it.each([
    ['**/*.ts', ['/w/app']],
    ['src/**/*.ts', ['/w/app/src']],
    ['src/a.ts', ['/w/app/src/a.ts']],
    ['/etc/*', ['/etc']],
    ['/*', ['/']],
    ['~/.ssh/*', ['~/.ssh']],
    ['../x/*', ['/w/app/../x']],
    ['src/*/../../x', [undefined]],
    ['{src,/etc}/*', ['/w/app/src', '/etc']],
    ['@(..|src)/*', [undefined]],
    [`{${'a,'.repeat(50)}b}`, [undefined]],
  ])('%s starts at %j', (pattern, starts) => {
    expect(globPaths(pattern, '/w/app').starts).toEqual(starts);
  });

  it('names what follows a wildcard', () => {
    expect(globPaths('**/secrets/*', '/w').named).toEqual(['/w/secrets']);
    expect(globPaths('**/{.env,.npmrc}', '/w').files).toEqual(['.env', '.npmrc']);
    expect(globPaths('**/.e*', '/w').files).toEqual([`.e${FOUND}`]);
    expect(globPaths('**/*', '/w')).toEqual({ starts: ['/w'], named: [], files: [] });
  });
});
