import { expect, test } from 'vitest';
import { checkCosts } from './check-costs.ts';
import { emptyFacts } from './facts.ts';
import { makeHistory } from './history-for-test.ts';

const MILLION = 1_000_000;

test('costs that the client gives otherwise are named, the largest difference first', () => {
  // 5 dollars a million
  const spent = { at: '2026-11-15T12:00:00Z', model: 'claude-opus-4-5', input: MILLION };
  const ids = ['right', 'nearly', 'less', 'more', 'untold', 'unpriced', 'forked'];
  const usage = (id: string) => [id === 'unpriced' ? { ...spent, model: 'other' } : spent];
  const context = makeHistory(ids.map((id) => ({ id, usage: usage(id) })));
  const told = { right: 5, nearly: 5.04, less: 4, more: 9, unpriced: 3, forked: 10 };
  for (const [id, clientCostUsd] of Object.entries(told)) {
    const facts = JSON.stringify({ ...emptyFacts(), clientCostUsd });
    // of the forked one's two messages one is counted in the session that it was copied from
    const rows = JSON.stringify({ rows: id === 'forked' ? [[], []] : [[]] });
    context.db.prepare('UPDATE files SET facts = ?, usage = ? WHERE session_id = ?').run(facts, rows, id);
  }
  expect(checkCosts(context, {})).toEqual({
    checked: 4,
    differing: 2,
    largest: [
      { sessionId: 'more', clientUsd: 9, oursUsd: 5 },
      { sessionId: 'less', clientUsd: 4, oursUsd: 5 },
    ],
  });
});
