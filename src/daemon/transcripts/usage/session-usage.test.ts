import { expect, test } from 'vitest';
import { answer } from '../index/index-for-test.ts';
import { Prices } from '../prices/prices.ts';
import { SessionUsage } from './session-usage.ts';
import { usageOf } from './usage.ts';

test('counts a forked session’s copied messages as its own, not as a subagent’s that got them too', () => {
  const usage = new SessionUsage();
  const said = (fields: object) => usageOf(JSON.parse(answer({ id: 'a', ...fields })), 0)[0]!;
  usage.add(said({ forkedFrom: { sessionId: 's0' } }), 's1.jsonl', null);
  usage.add(said({ isSidechain: true }), 'agent-x7.jsonl', 'x7');
  expect([...usage.byAgent(new Prices()).keys()]).toEqual([null]);
});
