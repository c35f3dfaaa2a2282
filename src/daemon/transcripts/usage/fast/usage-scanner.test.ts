import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { seededRandom } from '../../../../../test/kit/random.ts';
import { Prices } from '../../prices/prices.ts';
import { scanOne } from '../../threads/scan-thread.ts';
import { addSighting, type FileUsage, unpackUsage } from '../file-usage.ts';
import { RANK, sightingsOf } from '../sightings.ts';
import { SPENDING_COLUMNS, type SpendingCells, spendingOf } from '../spending.ts';
import { usageOf } from '../usage.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-scanner-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Sonnet 4.5 charged long requests extra until then, Haiku 5.5 does. */
const FIRST = Date.UTC(2026, 3, 30, 22);

/** Lines of many messages, some in several lines, some of them odd. */
function makeLines({ messages, models, seed }: { messages: number; models: number; seed: number }): string[] {
  const random = seededRandom(seed);
  const ids = Array.from({ length: messages }, () => `msg_${random.hex(24)}`);
  return Array.from({ length: messages * 2 }, (_, n) => {
    const usage = {
      input_tokens: random.integer(0, 9),
      output_tokens: random.integer(0, 5000),
      cache_read_input_tokens: random.chance(0.3) ? random.integer(90_000, 210_000) : random.integer(0, 90_000),
      cache_creation: {
        ephemeral_5m_input_tokens: random.integer(0, 900),
        ephemeral_1h_input_tokens: random.integer(0, 9),
      },
      ...(random.chance(0.1) ? { speed: 'fast' } : {}),
      ...(random.chance(0.1) ? { service_tier: 'batch' } : {}),
      ...(random.chance(0.05) ? { server_tool_use: { web_search_requests: 2 } } : {}),
    };
    return JSON.stringify({
      ...(random.chance(0.5) ? { isSidechain: random.chance(0.5) } : {}),
      type: 'assistant',
      message: {
        id: random.chance(0.02) ? `other-${n}` : random.pick(ids as [string, ...string[]]),
        model: `${random.pick(['claude-haiku-5-5', 'claude-sonnet-4-5', 'unknown-model'])}${models > 3 ? n % models : ''}`,
        role: 'assistant',
        content: [{ type: 'text', text: 'x'.repeat(random.integer(0, 3000)) }],
        stop_reason: null,
        usage,
      },
      timestamp: new Date(FIRST + random.integer(0, 40 * 300_000)).toISOString(),
      ...(random.chance(0.9) ? { gitBranch: random.pick(['main', 'feat/ü', 'x']) } : {}),
      ...(random.chance(0.02) ? { forkedFrom: { sessionId: 's0' } } : {}),
    });
  });
}

function byParsing(lines: string[]): FileUsage {
  const usage: FileUsage = new Map();
  let position = 0;
  for (const line of lines) {
    for (const record of usageOf(JSON.parse(line), position)) addSighting(usage, record);
    position += Buffer.byteLength(line) + 1;
  }
  return usage;
}

/** Keyed by what they describe. Dollars may be added in a different order, so they are compared with a tolerance. */
function rowsOf(cells: SpendingCells, { isExpected = false } = {}): Record<string, unknown> {
  const width = SPENDING_COLUMNS.length;
  const rows = Array.from({ length: cells.length / width }, (_, n) => cells.slice(n * width, (n + 1) * width));
  const nearly = (cell: unknown) => (isExpected && typeof cell === 'number' ? expect.closeTo(cell, 8) : cell);
  return Object.fromEntries(rows.map(([at, model, branch, ...rest]) => [`${at} ${model} ${branch}`, rest.map(nearly)]));
}

test.each([
  ['few messages', { messages: 5, models: 1 }],
  ['thousands of messages', { messages: 6000, models: 3 }],
  ['more models than it keeps apart', { messages: 500, models: 200 }],
])('%s are counted as by parsing every line', (_, options) => {
  for (const seed of [1, 2, 3]) {
    const lines = makeLines({ ...options, seed });
    const path = join(folder, 'file.jsonl');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const prices = new Prices();
    const scanned = scanOne({ path, from: 0 }, prices)!;
    const expected = byParsing(lines);
    expect(unpackUsage(scanned.usage)).toEqual(expected);
    const { keys, ranks } = scanned.sightings;
    const byKey = (sightings: { keys: string[]; ranks: Float64Array }) =>
      new Map(sightings.keys.map((key, n) => [key, [...sightings.ranks.slice(n * RANK, (n + 1) * RANK)]]));
    const found = byKey({ keys: typeof keys === 'string' ? keys.split('\n') : keys, ranks });
    expect(found).toEqual(byKey(sightingsOf(expected) as { keys: string[]; ranks: Float64Array }));
    expect(rowsOf(scanned.spending)).toEqual(rowsOf(spendingOf(expected.values(), prices), { isExpected: true }));
    const times = [...expected.values()].map(({ at }) => at);
    expect(scanned).toMatchObject({ firstAt: Math.min(...times), lastAt: Math.max(...times) });
  }
});

test('parses nothing without odd lines, and gives the same sums', () => {
  const lines = makeLines({ messages: 3000, models: 3, seed: 9 }).filter((line) => !/forkedFrom|other-/.test(line));
  const path = join(folder, 'plain.jsonl');
  writeFileSync(path, `${lines.join('\n')}\n`);
  const prices = new Prices();
  const scanned = scanOne({ path, from: 0 }, prices)!;
  expect(typeof scanned.sightings.keys).toBe('string');
  expect(rowsOf(scanned.spending)).toEqual(rowsOf(spendingOf(byParsing(lines).values(), prices), { isExpected: true }));
});
