import { rmSync, utimesSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stats } from '../stats/stats.ts';
import { history, historyDetail } from './history.ts';
import { answer, costState, lines, makeIndex, prompt } from './index-for-test.ts';

type Index = ReturnType<typeof makeIndex>;

const OPUS = 'claude-opus-4-5-20251101';
const START = Date.parse('2026-11-16T09:00:00.000Z');
/** One `answer` message's usage and cost. */
const ONE = { inputTokens: 3, outputTokens: 10, cacheReadInputTokens: 1000, cacheCreationInputTokens: 50 };
const HOUR = { cacheCreationEphemeral1hInputTokens: 30 };
const ONE_USD = 0.00119;

const times = (n: number) =>
  Object.fromEntries(Object.entries({ ...ONE, ...HOUR }).map(([key, value]) => [key, value * n]));
const plus = (n: number, more: Record<string, number>) => {
  const sum: Record<string, number> = { ...times(n) };
  for (const [key, value] of Object.entries(more)) sum[key] = (sum[key] ?? 0) + value;
  return sum;
};

const detail = (index: Index, id: string) => historyDetail(index.reader(), { id, live: [] });
const totals = async (index: Index) => (await stats(index.reader(), { by: 'model', timeZone: 'UTC' })).total;

/** The file system's own time would be now for all of them. */
function made(path: string, at: string): void {
  utimesSync(path, new Date(at), new Date(at));
}

test('includes a compaction in the cost in history and statistics, as a separate line', async () => {
  const index = makeIndex();
  const compaction = { inputTokens: 50_000, outputTokens: 900, costUSD: 9 };
  index.write(
    'p/s1.jsonl',
    lines(
      prompt('hello'),
      answer({ id: 'a' }),
      costState({ sessionId: 's1', startTime: START, models: { [OPUS]: plus(1, compaction) } }),
    ),
  );
  await index.scan();
  const usd = (50_000 * 5 + 900 * 25) / 1e6;
  const session = await detail(index, 's1');
  expect(session.cost?.totalUsd).toBeCloseTo(ONE_USD + usd, 10);
  expect(session.tokens.inputTokens).toBe(50_003);
  expect(session.usageByModel).toMatchObject([{ model: OPUS, tokens: { inputTokens: 3, outputTokens: 10 } }]);
  expect(session.otherUsage).toMatchObject([{ model: OPUS, tokens: { inputTokens: 50_000, outputTokens: 900 } }]);
  expect(session.otherUsage[0]?.cost?.totalUsd).toBeCloseTo(usd, 10);
  expect(session.spending.at(-1)?.totalUsd).toBeCloseTo(ONE_USD + usd, 10);
  const total = await totals(index);
  expect(total.cost?.totalUsd).toBeCloseTo(ONE_USD + usd, 10);
  expect(total.other?.cost?.totalUsd).toBeCloseTo(usd, 10);
  expect(total.messages).toBe(1);
});

test('counts a later total, and nothing twice', async () => {
  const index = makeIndex();
  const first = lines(
    answer({ id: 'a' }),
    costState({ sessionId: 's1', startTime: START, models: { [OPUS]: plus(1, { inputTokens: 100 }) } }),
  );
  index.write('p/s1.jsonl', first);
  await index.scan();
  const more = lines(
    answer({ id: 'b', at: '2026-11-17T10:00:00.000Z' }),
    costState({ sessionId: 's1', startTime: START, duration: 2000, models: { [OPUS]: plus(2, { inputTokens: 400 }) } }),
  );
  const path = index.write('p/s1.jsonl', first + more);
  await index.touch(path);
  const { rows } = await stats(index.reader(), { by: 'day', timeZone: 'UTC' });
  expect(rows.map(({ key, other }) => [key, other?.tokens.inputTokens])).toEqual([
    ['2026-11-16', 100],
    ['2026-11-17', 300],
  ]);
  index.restart();
  await index.scan();
  expect((await totals(index)).tokens.inputTokens).toBe(406);
});

test('charges a cent for each web search outside of messages', async () => {
  const index = makeIndex();
  const models = { [OPUS]: plus(1, { webSearchRequests: 3 }) };
  index.write('p/s1.jsonl', lines(answer({ id: 'a' }), costState({ sessionId: 's1', startTime: START, models })));
  await index.scan();
  expect((await detail(index, 's1')).cost?.totalUsd).toBeCloseTo(ONE_USD + 0.03, 10);
});

test('shows a fork’s own usage, with what it started with beside it', async () => {
  const index = makeIndex();
  const compaction = { inputTokens: 1000 };
  const parent = [answer({ id: 'a' }), answer({ id: 'b' })];
  made(
    index.write(
      'p/parent.jsonl',
      lines(
        ...parent.map((line) => line.replaceAll('"s1"', '"parent"')),
        costState({ sessionId: 'parent', startTime: START, models: { [OPUS]: plus(2, compaction) } }),
      ),
    ),
    '2026-11-16T10:00:01Z',
  );
  made(
    index.write(
      'p/fork.jsonl',
      lines(
        ...parent.map((line) => line.replaceAll('"s1"', '"fork"')),
        answer({ id: 'c', at: '2026-11-16T12:00:00.000Z', sessionId: 'fork' }),
        costState({
          sessionId: 'fork',
          startTime: START,
          duration: 5000,
          models: { [OPUS]: plus(3, { inputTokens: 1500 }) },
        }),
      ),
    ),
    '2026-11-16T12:00:01Z',
  );
  await index.scan();
  const fork = await detail(index, 'fork');
  expect(fork.tokens.inputTokens).toBe(503);
  expect(fork.usageByModel).toMatchObject([{ tokens: { inputTokens: 3 } }]);
  expect(fork.otherUsage).toMatchObject([{ tokens: { inputTokens: 500 } }]);
  expect(fork.inherited).toMatchObject({ from: 'parent', tokens: { inputTokens: 1006 } });
  expect(fork.inherited?.cost?.totalUsd).toBeCloseTo(2 * ONE_USD + 0.005, 10);
  const { sessions } = await history(index.reader(), {
    q: '',
    sort: 'recent',
    offset: 0,
    limit: 10,
    live: [],
    now: 0,
    timeZone: 'UTC',
  });
  const cents = sessions.reduce((sum, { cost }) => sum + (cost?.totalUsd ?? 0), 0);
  expect((await totals(index)).cost?.totalUsd).toBeCloseTo(cents, 10);
  expect(sessions.map(({ id, inherited }) => [id, inherited?.from])).toEqual([
    ['fork', 'parent'],
    ['parent', undefined],
  ]);
});

test('does not charge a fork of a compacted session, which starts without messages, for its parent’s usage', async () => {
  const index = makeIndex();
  made(
    index.write(
      'p/parent.jsonl',
      lines(
        answer({ id: 'a', sessionId: 'parent' }),
        costState({ sessionId: 'parent', startTime: START, models: { [OPUS]: plus(1, { inputTokens: 1000 }) } }),
      ),
    ),
    '2026-11-16T10:00:01Z',
  );
  made(
    index.write(
      'p/fork.jsonl',
      lines(
        answer({ id: 'c', at: '2026-11-16T12:00:00.000Z', sessionId: 'fork' }),
        costState({
          sessionId: 'fork',
          startTime: START,
          duration: 5000,
          models: { [OPUS]: plus(2, { inputTokens: 1000 }) },
        }),
      ),
    ),
    '2026-11-16T12:00:01Z',
  );
  await index.scan();
  const fork = await detail(index, 'fork');
  expect(fork.otherUsage).toEqual([]);
  expect(fork.inherited).toMatchObject({ from: 'parent', tokens: { inputTokens: 1003 } });
  expect((await totals(index)).tokens.inputTokens).toBe(1006);
});

test('leaves nothing behind when the transcript is deleted', async () => {
  const index = makeIndex();
  const models = { [OPUS]: plus(1, { inputTokens: 100 }) };
  const path = index.write(
    'p/s1.jsonl',
    lines(answer({ id: 'a' }), costState({ sessionId: 's1', startTime: START, models })),
  );
  await index.scan();
  rmSync(path);
  await index.touch(path);
  expect(index.totals()).toEqual([]);
  expect(index.all('SELECT * FROM cost_states')).toEqual([]);
});
