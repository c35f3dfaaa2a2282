import { expect, it } from 'vitest';
import type { RuleDraft } from '../../../src/contract/rules.ts';
import { fieldsOf, toRuleDraft } from './rule-fields.ts';

const draft: RuleDraft = {
  scope: 'project',
  project: '/work/app',
  pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } },
  decision: 'deny',
  priority: -3,
  enabled: false,
  reason: 'not here',
  expiresAt: new Date('2030-01-02T03:04').getTime(),
};

it('returns the rule it was opened with', () => {
  expect(toRuleDraft(fieldsOf(draft))).toEqual(draft);
});

it.each([
  ['no tool', { toolName: ' ' }],
  ['no project', { project: '' }],
  ['a parameter without a pattern', { parameters: [{ key: 'a', name: 'command', glob: '' }] }],
  ['a pattern without a parameter', { parameters: [{ key: 'a', name: '', glob: 'ls' }] }],
])('is not a rule yet with %s', (_, part) => {
  expect(toRuleDraft({ ...fieldsOf(draft), ...part })).toBeNull();
});

it('omits an empty parameter, which means any input', () => {
  const fields = { ...fieldsOf(draft), parameters: [{ key: 'a', name: '', glob: '' }] };
  expect(toRuleDraft(fields)?.pattern.parameters).toEqual({});
});
