import { expect, test } from 'vitest';
import { anApproval } from '../answer/approval-for-test.ts';
import { lineOf, questionsIn, titleOf } from './describe-request.ts';

test('names requests of every kind', () => {
  expect(titleOf(anApproval('a'))).toBe('Allow Bash?');
  expect(lineOf(anApproval('a', { toolInput: { command: 'git\n push' } }))).toEqual({ text: 'git push', code: true });
  expect(lineOf(anApproval('a', { toolName: 'mcp__x__y', toolInput: {} }))).toEqual({ text: 'mcp__x__y', code: true });
  const plan = anApproval('a', { kind: 'plan', plan: '\n# Move it\n\n1. …' });
  expect([titleOf(plan), lineOf(plan).text]).toEqual(['Plan to review', 'Move it']);
  const form = anApproval('a', { kind: 'elicitation', toolInput: { server: 'asker', message: 'Your name?' } });
  expect([titleOf(form), lineOf(form).text]).toEqual(['asker asks', 'Your name?']);
});

test('takes questions of any shape', () => {
  expect(questionsIn({ questions: 'none' })).toEqual([]);
  expect(
    questionsIn({
      questions: [null, { header: 'no question' }, { question: 'Which?', options: ['A', { label: 'B' }, {}] }],
    }),
  ).toEqual([
    {
      question: 'Which?',
      header: '',
      multiSelect: false,
      options: [
        { label: 'A', description: '' },
        { label: 'B', description: '' },
      ],
    },
  ]);
});
