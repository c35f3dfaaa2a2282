import { expect, it } from 'vitest';
import type { Rule } from '../../../src/contract/rules.ts';
import { groupRules } from './rule-order.ts';

const rule = (id: string, over: Partial<Rule> = {}): Rule => ({
  id,
  scope: 'global',
  priority: 0,
  enabled: true,
  pattern: { toolName: 'Bash', parameters: { command: `${id} *` } },
  decision: 'allow',
  reason: '',
  version: 1,
  createdAt: 0,
  updatedAt: 0,
  ...over,
});

it('groups rules by scope, in evaluation order', () => {
  const rules = [
    rule('allow'),
    rule('urgent', { priority: 5 }),
    rule('deny', { decision: 'deny' }),
    rule('mine', { scope: 'project', project: '/work/app' }),
    rule('ask', { decision: 'ask' }),
  ];
  expect(groupRules(rules, '').map(({ title, rules: members }) => [title, members.map(({ id }) => id)])).toEqual([
    ['Everywhere', ['deny', 'ask', 'urgent', 'allow']],
    ['/work/app', ['mine']],
  ]);
});

it('finds a rule by words in its pattern, project or reason', () => {
  const rules = [rule('git'), rule('npm', { reason: 'Runs the tests' })];
  expect(groupRules(rules, 'TESTS bash').flatMap(({ rules: members }) => members.map(({ id }) => id))).toEqual(['npm']);
});
