import { expect, it } from 'vitest';
import { displayPath, pathInProject } from './display-path.ts';

it.each([
  ['/home/ada/api/src/a.ts', '/home/ada/api', 'src/a.ts'],
  ['/home/ada/api', '/home/ada/api', '.'],
  ['/home/ada/api-2/src/a.ts', '/home/ada/api', '~/api-2/src/a.ts'],
  ['/Users/ada', null, '~'],
  ['/root/notes.md', undefined, '~/notes.md'],
  ['/rooted/notes.md', null, '/rooted/notes.md'],
  ['/etc/hosts', '/', '/etc/hosts'],
])('%s in %s is %s', (path, folder, said) => {
  expect(displayPath(path, folder)).toBe(said);
});

it('leaves a path outside the project absolute', () => {
  expect(pathInProject('/home/ada/.ssh/id', '/home/ada/api')).toBe('/home/ada/.ssh/id');
});
