import { expect, test } from 'vitest';
import { aSession } from '../live/session-for-test.ts';
import { matchesFilter, parseFilter } from './filter.ts';

const session = aSession('s1', {
  title: 'Deploy the shop',
  projectDisplayName: 'web-shop',
  gitBranch: 'main',
  model: 'claude-opus-4-5',
  agentState: { group: 'needs_you', state: 'needs_permission', label: 'Needs permission: Bash' },
});
const matches = (filter: string) => matchesFilter(session, parseFilter(filter));

test.each([
  ['', true],
  ['deploy SHOP', true],
  ['deploy bakery', false],
  ['project:web', true],
  ['project:deploy', false],
  ['branch:main model:opus', true],
  ['state:"needs permission"', true],
  ['state:needs_permission', true],
  ['group:needs_you', true],
  ['group:"needs you"', true],
  ['-group:running', true],
  ['group:done', false],
  ['-branch:main', false],
  ['-branch:dev deploy', true],
  ['-bakery', true],
  ['project:', true],
  ['http://x', false],
  ['"the shop"', true],
  ['-', true],
])('%s', (filter, expected) => {
  expect(matches(filter)).toBe(expected);
});
