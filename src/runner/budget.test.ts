import { expect, it } from 'vitest';
import { BudgetGate } from './budget.ts';

const signal = new AbortController().signal;

function gate(answers: string[], budget = { dollars: 2.5 }) {
  const asked: string[] = [];
  const made = new BudgetGate({
    budget,
    before: { dollars: 0, tokens: 0, ms: 0 },
    ask: async ({ toolInput }) => {
      const [{ question }] = toolInput.questions as [{ question: string }];
      asked.push(question);
      const answer = answers.shift();
      return answer === undefined
        ? { correlationId: '', decision: 'deny', why: '' }
        : { correlationId: '', decision: 'allow', why: '', updatedInput: { answers: { [question]: answer } } };
    },
  });
  const request = async () => {
    if (!(await made.admits(signal))) return false;
    made.spend({ id: String(Math.random()), dollars: 1, tokens: 10 });
    return true;
  };
  return { request, asked, made };
}

it('asks before the request that would exceed the budget, and raises it by what the operator allows', async () => {
  const { request, asked } = gate(['Allow $2.50 more']);
  for (let count = 0; count < 4; count += 1) expect(await request()).toBe(true);
  expect(asked).toHaveLength(1);
  expect(asked[0]).toContain('has used $2.00 of its budget of $2.50');
  expect(await request()).toBe(false);
  expect(asked[1]).toContain('has used $4.00');
});

it('asks once for subagents that reach the limit together, and accepts a typed amount', async () => {
  const { request, asked, made } = gate(['3 dollars please']);
  await request();
  await request();
  expect(await Promise.all([made.admits(signal), made.admits(signal), made.admits(signal)])).toEqual([
    true,
    true,
    true,
  ]);
  expect(asked).toHaveLength(1);
});

it('counts what children spent, and stops asking once the limit is removed', async () => {
  const { request, asked, made } = gate(['No limit']);
  made.childrenSpent = { dollars: 3, tokens: 0 };
  for (let count = 0; count < 10; count += 1) expect(await request()).toBe(true);
  expect(asked).toHaveLength(1);
});
