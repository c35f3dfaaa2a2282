import { expect, test } from 'vitest';
import { answer, costState, lines, makeIndex } from '../index/index-for-test.ts';
import { checkCosts } from './check-costs.ts';

const START = Date.parse('2026-11-16T09:00:00Z');
/** One message's cost by our list. */
const USD = 1.00094;

test("names sessions whose cost differs from the client's, the largest difference first", async () => {
  const index = makeIndex();
  const told = { right: USD, nearly: USD + 0.009, less: 0.6, more: 1.9, unpriced: 3 };
  for (const [place, [id, costUSD]] of Object.entries(told).entries()) {
    const model = id === 'unpriced' ? 'other' : 'claude-opus-4-5';
    const state = costState({ sessionId: id, startTime: START + place, models: { [model]: { costUSD } } });
    index.write(`p/${id}.jsonl`, lines(answer({ id, model, sessionId: id, output: 40_000 }), state));
  }
  index.write('p/untold.jsonl', lines(answer({ id: 'untold', sessionId: 'untold' })));
  await index.scan();
  const { checked, differing, largest } = checkCosts(index.reader(), {});
  expect({ checked, differing }).toEqual({ checked: 4, differing: 2 });
  expect(largest).toEqual([
    { sessionId: 'more', clientUsd: 1.9, oursUsd: expect.closeTo(USD, 9) },
    { sessionId: 'less', clientUsd: 0.6, oursUsd: expect.closeTo(USD, 9) },
  ]);
});

test('leaves out sessions that continued since, and those whose client was killed', async () => {
  const index = makeIndex();
  const models = { 'claude-opus-4-5': { costUSD: 9 } };
  const later = answer({ id: 'b', sessionId: 's1', at: '2026-11-16T11:00:00.000Z' });
  index.write(
    'p/s1.jsonl',
    lines(answer({ id: 'a', sessionId: 's1' }), costState({ sessionId: 's1', startTime: START, models }), later),
  );
  const began = Date.parse('2026-11-16T10:30:00Z');
  index.write(
    'p/s2.jsonl',
    lines(answer({ id: 'c', sessionId: 's2' }), costState({ sessionId: 's2', startTime: began, models })),
  );
  await index.scan();
  expect(checkCosts(index.reader(), {})).toMatchObject({ checked: 0 });
});
