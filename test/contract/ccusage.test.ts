import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeIndex } from '../../src/daemon/transcripts/index/index-for-test.ts';
import { makeCorpus } from '../bench/corpus/make-corpus.ts';
import { checkout, cleanEnv } from '../kit/daemon-process.ts';

type Index = ReturnType<typeof makeIndex>;

interface Sum {
  day: string;
  model: string;
  input: number;
  output: number;
  written: number;
  read: number;
  usd: number | null;
}

/** ccusage in its own process, offline, in a temporary home. */
function byCcusage({ folder }: Index): Sum[] {
  const home = mkdtempSync(join(tmpdir(), 'gc-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const args = ['claude', 'daily', '--offline', '--json', '--timezone', 'UTC'];
  const output = execFileSync(join(checkout, 'node_modules', '.bin', 'ccusage'), args, {
    env: cleanEnv(home, { CLAUDE_CONFIG_DIR: folder }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const { daily = [] } = JSON.parse(output.toString()) as {
    daily?: { date: string; modelBreakdowns: Record<string, number | string>[] }[];
  };
  const sums = daily.flatMap(({ date, modelBreakdowns }) =>
    modelBreakdowns.map((of) => ({
      day: date,
      model: of.modelName as string,
      input: of.inputTokens as number,
      output: of.outputTokens as number,
      written: of.cacheCreationTokens as number,
      read: of.cacheReadTokens as number,
      usd: of.cost as number,
    })),
  );
  return sums.sort((a, b) => (`${a.day} ${a.model}` < `${b.day} ${b.model}` ? -1 : 1));
}

function byUs({ all }: Index): Sum[] {
  return all(
    `SELECT date(at / 1000, 'unixepoch') AS day, model, SUM(input) AS input, SUM(output) AS output,
       SUM(cache_write_5m + cache_write_1h) AS written, SUM(cache_read) AS read, SUM(total_usd) AS usd
     FROM usage GROUP BY day, model ORDER BY day, model`,
  ) as Sum[];
}

/** Far below a cent. With a smaller tolerance, the order of additions shows. */
const rounded = (sums: Sum[]) => sums.map((sum) => ({ ...sum, usd: sum.usd && Number(sum.usd.toFixed(8)) }));

test('matches ccusage’s tokens and costs, day by day and model by model', async () => {
  const index = makeIndex();
  makeCorpus({ folder: index.folder, bytes: 4_000_000, files: 40, seed: 11, days: 20 });
  await index.scan();
  const ours = byUs(index);
  expect(ours.length).toBeGreaterThan(30);
  expect(rounded(ours)).toEqual(rounded(byCcusage(index)));
});

let lines = 0;

/** One line of a Sonnet 4.5 message that costs 0.0010965 dollars; `spent` overrides its usage. */
function line({ spent = {}, message = {}, ...top }: Record<string, unknown> = {}): string {
  return `${JSON.stringify({
    isSidechain: false,
    message: {
      model: 'claude-sonnet-4-5-20250929',
      id: 'msg_a',
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: 'Done.' }],
      stop_reason: 'end_turn',
      usage: {
        input_tokens: 3,
        output_tokens: 40,
        cache_creation_input_tokens: 50,
        cache_read_input_tokens: 1000,
        cache_creation: { ephemeral_5m_input_tokens: 50, ephemeral_1h_input_tokens: 0 },
        ...(spent as object),
      },
      ...(message as object),
    },
    requestId: 'req_a',
    type: 'assistant',
    uuid: `u${++lines}`,
    timestamp: '2026-11-16T10:00:00.000Z',
    sessionId: 's1',
    version: '2.1.325',
    ...top,
  })}\n`;
}

const opus = { model: 'claude-opus-4-6' };
const same: [string, Record<string, string>][] = [
  ['one message', { 'p/s1.jsonl': line() }],
  ['lines of one message', { 'p/s1.jsonl': line({ spent: { output_tokens: 1 } }) + line() }],
  ['a message that shrinks', { 'p/s1.jsonl': line({ spent: { output_tokens: 90 } }) + line() }],
  ['a copy in another session', { 'p/s1.jsonl': line(), 'p/s2.jsonl': line({ sessionId: 's2' }) }],
  [
    'a replay in a side conversation',
    { 'p/s1.jsonl': line(), 'p/s1/subagents/agent-x.jsonl': line({ requestId: 'req_b', isSidechain: true }) },
  ],
  [
    'cache writes for an hour',
    { 'p/s1.jsonl': line({ spent: { cache_creation: { ephemeral_1h_input_tokens: 50 } } }) },
  ],
  ['cache writes of an older client', { 'p/s1.jsonl': line({ spent: { cache_creation: undefined } }) }],
  [
    'a message over midnight',
    {
      'p/s1.jsonl':
        line({ spent: { output_tokens: 1 }, timestamp: '2026-11-15T23:59:59.900Z' }) +
        line({ timestamp: '2026-11-16T00:00:00.100Z' }),
    },
  ],
  [
    'ids of another service',
    { 'p/s1.jsonl': line({ message: { id: 'gen-1' } }) + line({ message: { id: 'gen-1' }, requestId: 'req_b' }) },
  ],
  ['a last line without its end', { 'p/s1.jsonl': line().trimEnd() }],
  [
    'what a subagent of an older client did',
    {
      'p/s1.jsonl': `${JSON.stringify({ type: 'progress', data: { message: JSON.parse(line()) }, sessionId: 's1' })}\n`,
    },
  ],
];
test.each(same)('%s: the same', async (_, files) => {
  const index = makeIndex();
  for (const [name, content] of Object.entries(files)) index.write(name, content);
  await index.scan();
  expect(byUs(index)).toHaveLength(1);
  expect(rounded(byUs(index))).toEqual(rounded(byCcusage(index)));
});

/** Where we differ, and why we are right. Documented in docs/costs.md. */
const different: [why: string, files: Record<string, string>, ours: Partial<Sum>[], theirs: Partial<Sum>[]][] = [
  [
    'the client no longer writes request ids: lines of one message are known by its own id',
    {
      'p/s1.jsonl':
        line({ requestId: undefined, spent: { output_tokens: 1 } }) +
        line({ requestId: undefined, timestamp: '2026-11-16T10:00:02.000Z' }),
    },
    [{ input: 3, output: 40 }],
    [{ input: 6, output: 41 }],
  ],
  [
    'so are copies of it in other sessions',
    { 'p/s1.jsonl': line({ requestId: undefined }), 'p/s2.jsonl': line({ requestId: undefined, sessionId: 's2' }) },
    [{ input: 3 }],
    [{ input: 6 }],
  ],
  [
    'a request whose input is longer than 200,000 tokens costs the long rates as a whole, while there were any',
    {
      'p/s1.jsonl':
        line({
          spent: { input_tokens: 100_000, cache_read_input_tokens: 150_000 },
          timestamp: '2026-01-16T10:00:00.000Z',
        }) + line({ message: { id: 'msg_b' }, spent: { input_tokens: 250_000, cache_read_input_tokens: 0 } }),
    },
    [
      { day: '2026-01-16', usd: 0.691275 },
      { day: '2026-11-16', usd: 0.7507875 },
    ],
    [
      { day: '2026-01-16', usd: 0.3457875 },
      { day: '2026-11-16', usd: 0.9007875 },
    ],
  ],
  [
    'a request in a batch costs half',
    { 'p/s1.jsonl': line({ spent: { service_tier: 'batch' } }) },
    [{ usd: 0.00054825 }],
    [{ usd: 0.0010965 }],
  ],
  [
    'a web search costs a cent',
    { 'p/s1.jsonl': line({ spent: { server_tool_use: { web_search_requests: 2 } } }) },
    [{ usd: 0.0210965 }],
    [{ usd: 0.0010965 }],
  ],
  [
    'a request that must stay in the US costs a tenth more',
    { 'p/s1.jsonl': line({ message: opus, spent: { inference_geo: 'us' } }) },
    [{ usd: 0.00201025 }],
    [{ usd: 0.0018275 }],
  ],
  [
    'fast mode is no other model, only another price',
    { 'p/s1.jsonl': line({ message: opus, spent: { speed: 'fast' } }) },
    [{ model: 'claude-opus-4-6', usd: 0.010965 }],
    [{ model: 'claude-opus-4-6-fast', usd: 0.010965 }],
  ],
  [
    'cache writes whose kinds are not told are cache writes',
    { 'p/s1.jsonl': line({ spent: { cache_creation: { ephemeral_5m_input_tokens: 0 } } }) },
    [{ written: 50 }],
    [{ written: 0 }],
  ],
  [
    'a model without a price is not free',
    { 'p/s1.jsonl': line({ message: { model: 'gpt-x' } }) },
    [{ usd: null }],
    [{ usd: 0 }],
  ],
  [
    'a line with a broken character, NUL bytes before it, or blanks in it is still a line',
    {
      'p/s1.jsonl': `\0\0${line()}`,
      'p/s2.jsonl': `${JSON.stringify(JSON.parse(line({ message: { id: 'msg_b' } })), null, 1).replaceAll('\n', '')}\n`,
    },
    [{ input: 6 }],
    [],
  ],
];
test.each(different)('%s', async (_, files, ours, theirs) => {
  const index = makeIndex();
  for (const [name, content] of Object.entries(files)) index.write(name, content);
  await index.scan();
  expect(rounded(byUs(index))).toMatchObject(ours);
  expect(rounded(byCcusage(index))).toMatchObject(theirs);
  expect(byCcusage(index)).toHaveLength(theirs.length);
});
