import { expect, it } from 'vitest';
import { isInProjects } from './project-scope.ts';

it.each([
  [[], '/work/api', true],
  [[], null, true],
  [['/work/api'], '/work/api', true],
  [['/work/api'], '/work/api/packages/core', true],
  [['/work/api/'], '/work/api/packages/core', true],
  [['/work/api'], '/work/api-secret', false],
  [['/work/api'], '/work', false],
  [['/work/api', '/work/web'], '/work/web', true],
  [['/work/api'], null, false],
  [['/work/api'], undefined, false],
])('projects %j and folder %j: %j', (projects, path, expected) => {
  expect(isInProjects(projects, path)).toBe(expected);
});
