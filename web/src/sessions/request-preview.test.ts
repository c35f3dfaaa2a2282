import { expect, it } from 'vitest';
import { requestPreview } from './request-preview.ts';

const needsYou = (context: Record<string, unknown>) =>
  requestPreview({ group: 'needs_you', state: 'needs_permission', label: '', context });

it('shows the command that needs permission', () => {
  expect(needsYou({ description: 'Deploy', command: 'npm run deploy' })).toEqual({
    text: 'npm run deploy',
    code: true,
    more: 0,
  });
});

it('shows the first question and how many follow', () => {
  expect(needsYou({ questions: [{ question: 'Which database?' }, { question: 'Which port?' }] })).toEqual({
    text: 'Which database?',
    code: false,
    more: 1,
  });
});

it('shows the plan and the failure as prose, without heading marks', () => {
  expect(needsYou({ plan: '# Plan\n1. Read' })).toEqual({ text: 'Plan\n1. Read', code: false, more: 0 });
  expect(needsYou({ error: 'Exit code 1' })).toEqual({ text: 'Exit code 1', code: false, more: 0 });
});

it('truncates long text', () => {
  expect(needsYou({ command: 'x'.repeat(5_000) })?.text).toHaveLength(400);
});

it.each([[{}], [{ command: 7, questions: 'none' }], [{ questions: [null] }], [{ questions: [] }]])(
  'shows nothing for an unknown shape: %o',
  (context) => {
    expect(needsYou(context)).toBeNull();
  },
);

it('shows nothing while the agent works', () => {
  expect(requestPreview({ group: 'autonomous', state: 'acting', label: '', context: { command: 'ls' } })).toBeNull();
});
