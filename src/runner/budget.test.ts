import { expect, test } from 'vitest';
import type { Budget } from '../contract/orchestration.ts';
import { BudgetGate } from './budget.ts';

const NEVER = new AbortController().signal;

/** `answers`: what the operator says, one for each question. */
function setUp(budget: Budget, answers: string[] = [], before = { dollars: 0, tokens: 0, ms: 0 }) {
  let now = 0;
  const asked: string[] = [];
  const gate = new BudgetGate({
    budget,
    before,
    now: () => now,
    ask: async ({ toolInput }) => {
      const [{ question, options }] = toolInput.questions as [{ question: string; options: { label: string }[] }];
      asked.push(question);
      const answer = answers.shift() ?? 'Stop here';
      const label = options.find((option) => option.label.startsWith(answer))?.label ?? answer;
      return { correlationId: '', why: '', decision: 'allow', updatedInput: { answers: { [question]: label } } };
    },
  });
  return { gate, asked, pass: (ms: number) => (now += ms) };
}
const spend = (gate: BudgetGate, dollars: number | null, id = String(Math.random())) =>
  gate.spend({ id, dollars, tokens: 100 });

test('asks before the request that would pass the limit, taking the last one as a measure', async () => {
  const { gate, asked } = setUp({ dollars: 0.05 });
  spend(gate, 0.02);
  expect(await gate.admits(NEVER)).toBe(true);
  spend(gate, 0.02);
  expect(await gate.admits(NEVER)).toBe(false);
  expect(asked).toEqual([
    'This session has used $0.04 of its budget of $0.05. The next request takes about $0.02 and would go over it. Let it continue?',
  ]);
});

test('parts of one request are one request', async () => {
  const { gate } = setUp({ dollars: 0.1 });
  spend(gate, 0.03, 'same');
  spend(gate, 0.03, 'same');
  expect(await gate.admits(NEVER)).toBe(false);
});

test('as much again, an amount, and no limit', async () => {
  const { gate, asked } = setUp({ tokens: 150 }, ['Allow', '1000', 'No limit']);
  spend(gate, 0);
  expect(await gate.admits(NEVER)).toBe(true);
  expect(asked).toHaveLength(1);
  spend(gate, 0);
  expect(await gate.admits(NEVER)).toBe(true);
  expect(asked).toHaveLength(2);
  for (let round = 0; round < 11; round++) spend(gate, 0);
  expect(await gate.admits(NEVER)).toBe(true);
  for (let round = 0; round < 100; round++) spend(gate, 0);
  expect(await gate.admits(NEVER)).toBe(true);
  expect(asked).toHaveLength(3);
});

test('counts what earlier processes and children used', async () => {
  const { gate } = setUp({ dollars: 1 }, [], { dollars: 0.4, tokens: 0, ms: 0 });
  spend(gate, 0.1);
  expect(await gate.admits(NEVER)).toBe(true);
  gate.childrenSpent = { dollars: 0.45, tokens: 0 };
  expect(await gate.admits(NEVER)).toBe(false);
});

test('counts minutes of work, not of waiting', async () => {
  const { gate, pass } = setUp({ minutes: 2 });
  gate.startWork();
  pass(60_000);
  gate.pauseWork();
  pass(3_600_000);
  gate.startWork();
  pass(30_000);
  expect(await gate.admits(NEVER)).toBe(true);
  pass(31_000);
  expect(await gate.admits(NEVER)).toBe(false);
  expect(gate.spent.ms).toBe(121_000);
});

test('subagents that get there together cause one question', async () => {
  const { gate, asked } = setUp({ dollars: 0.01 }, ['No limit']);
  spend(gate, 0.02);
  expect(await Promise.all([1, 2, 3].map(() => gate.admits(NEVER)))).toEqual([true, true, true]);
  expect(asked).toHaveLength(1);
});

test('a model without a price makes the cost unknown, not zero', () => {
  const { gate } = setUp({});
  spend(gate, null);
  expect(gate.spent.dollars).toBeNull();
});
