import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packUsage, unpackUsage } from './file-usage.ts';
import { scanUsage } from './scan-usage.ts';
import { parseLine, type UsageRecord, usageOf } from './usage.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gc-usage-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What the scanner finds in a file of these lines: messages it reads itself, then those of lines that it had parsed. */
function scan(...lines: Buffer[]): UsageRecord[] {
  const path = join(folder, 'scanned.jsonl');
  writeFileSync(path, Buffer.concat(lines.flatMap((bytes) => [bytes, Buffer.from('\n')])));
  const { messages, records } = scanUsage(path, 0)!;
  return [...unpackUsage(messages.packed).values(), ...records];
}

const usage = { input_tokens: 3, output_tokens: 40, cache_read_input_tokens: 500, cache_creation_input_tokens: 7 };
const line = (more: object = {}, message: object = {}) => ({
  isSidechain: false,
  message: {
    model: 'claude-opus-4-5',
    id: 'msg_1',
    role: 'assistant',
    content: [{ type: 'text', text: 'Done.' }],
    stop_reason: null,
    usage,
    ...message,
  },
  requestId: 'req_1',
  type: 'assistant',
  timestamp: '2026-11-16T01:02:03.456Z',
  sessionId: 's1',
  gitBranch: 'main',
  ...more,
});

function read(value: unknown): UsageRecord[] {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return scan(bytes);
}

const told = {
  key: 'msg_1',
  at: Date.UTC(2026, 10, 16, 1, 2, 3, 456),
  model: 'claude-opus-4-5',
  branch: 'main',
  input: 3,
  output: 40,
  cacheRead: 500,
  cacheWrite5m: 7,
  cacheWrite1h: 0,
  webSearches: 0,
  isFast: false,
  isBatch: false,
  isUsOnly: false,
  isSidechain: false,
  isCopy: false,
  isForked: false,
};

describe('what a line used', () => {
  test('is read whatever the message says', () => {
    for (const text of ['', 'x'.repeat(9000), '],"usage":{"input_tokens":9}', 'a"b\\', '}]}'.repeat(500), 'ünï ✓'])
      expect(read(line({}, { content: [{ type: 'text', text }] }))).toEqual([told]);
  });

  test("is the message's, not a tool input's", () => {
    const input = { usage: { input_tokens: 999 }, content: [{ usage }], list: [[], [{}]] };
    expect(read(line({}, { content: [{ type: 'tool_use', name: 'X', input }] }))).toEqual([told]);
    expect(read(line({ toolUseResult: { content: [], usage: { input_tokens: 999 } } }))).toEqual([told]);
  });

  test('is nothing in lines that only look similar', () => {
    expect(read({ ...line(), type: 'user' })).toEqual([]);
    expect(read({ type: 'user', message: { role: 'user' }, toolUseResult: { content: [], usage } })).toEqual([]);
    expect(read(line({ toolUseResult: { content: [], stop: 1, usage } }, { usage: undefined }))).toEqual([]);
    expect(read(line({}, { model: '<synthetic>' }))).toEqual([]);
    expect(read('"usage"')).toEqual([]);
    expect(read('{"usage":')).toEqual([]);
  });

  test('reads both kinds of cache writes, and what else its price depends on', () => {
    const more = {
      cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 5 },
      server_tool_use: { web_search_requests: 4 },
      service_tier: 'batch',
      speed: 'fast',
      inference_geo: 'us',
    };
    expect(read(line({ isSidechain: true }, { usage: { ...usage, ...more } }))).toEqual([
      {
        ...told,
        cacheWrite5m: 2,
        cacheWrite1h: 5,
        webSearches: 4,
        isBatch: true,
        isFast: true,
        isUsOnly: true,
        isSidechain: true,
        isCopy: false,
        isForked: false,
      },
    ]);
  });

  test('reads what another model did for the response', () => {
    const iterations = [{ type: 'message' }, { type: 'advisor_message', model: 'claude-haiku-4-5', input_tokens: 11 }];
    const [own, helper] = read(line({}, { usage: { ...usage, iterations } }));
    expect(own).toEqual(told);
    expect(helper).toMatchObject({ key: 'msg_1:advisor:0', model: 'claude-haiku-4-5', input: 11, output: 0 });
  });

  test('is that of the subagent in the progress lines of older clients', () => {
    const progress = { type: 'progress', data: { type: 'agent_progress', message: line() }, gitBranch: 'main' };
    expect(read(progress)).toEqual([{ ...told, isCopy: true }]);
  });

  test('is marked as a copy if the client says it forked the line from another session', () => {
    const forkedFrom = { sessionId: 's0', messageUuid: 'u1' };
    expect(read(line({ forkedFrom }))).toEqual([{ ...told, isForked: true }]);
    expect(read({ forkedFrom, ...line() })).toEqual([{ ...told, isForked: true }]);
    expect(read(line())).toEqual([told]);
    expect(unpackUsage(packUsage(new Map([[told.key, { ...told, isForked: true }]])))).toEqual(
      new Map([[told.key, { ...told, isForked: true }]]),
    );
  });

  test('from a service with its own ids is identified by its request', () => {
    expect(read(line({}, { id: 'gen-7' }))[0]?.key).toBe('gen-7:req_1');
    expect(read(line({ requestId: undefined }, { id: 'gen-7' }))[0]?.key).toBe('gen-7:s1');
    expect(read(line({}, { id: undefined }))[0]?.key).toBe('@s1:0');
  });
});

test('cutting a line gives the same as parsing it whole, in any order of fields', () => {
  const name = fc.constantFrom(
    'usage',
    'content',
    'message',
    'type',
    'id',
    'stop_reason',
    'role',
    'forkedFrom',
    'a',
    'b"',
    'ü',
  );
  const value = fc.constantFrom<unknown>(
    ...[
      null,
      true,
      7,
      -1.5e3,
      '',
      'usage',
      '"usage":{',
      ']}',
      'a\\',
      '✓',
      [],
      [[]],
      {},
      { usage },
      [{ usage }, ']'],
      line(),
    ],
  );
  const fields = fc.dictionary(name, value, { maxKeys: 5 });
  const order = fc.array(fc.nat(), { minLength: 30, maxLength: 30 });
  const shuffle = (object: object, by: number[]) =>
    Object.fromEntries(
      Object.entries(object)
        .map((entry, n) => ({ entry, by: by[n % 30]! }))
        .sort((a, b) => a.by - b.by)
        .map(({ entry }) => entry),
    );
  fc.assert(
    fc.property(
      fc.array(fields, { maxLength: 4 }),
      fields,
      fields,
      order,
      fc.boolean(),
      (content, around, beside, by, isSpaced) => {
        const message = shuffle({ ...around, ...line({}, { content }).message }, by);
        const whole = shuffle({ ...beside, ...line(), message }, by.toReversed());
        const bytes = Buffer.from(JSON.stringify(whole, null, isSpaced ? 1 : 0).replaceAll('\n', ' '));
        expect(scan(bytes)).toEqual(usageOf(parseLine(bytes, 0, bytes.length)!, 0));
      },
    ),
    { numRuns: 1000 },
  );
});

test('a line that is damaged anywhere but in what the message says gives the same as parsing it whole', () => {
  const more = { cache_creation: { ephemeral_5m_input_tokens: 2, ephemeral_1h_input_tokens: 5 }, speed: 'fast' };
  const usual = line(
    { costUSD: 0.25, gitBranch: 'feat/ünï', nested: { list: [1, -2.5e3, null, true], none: {} } },
    { usage: { ...usage, ...more, iterations: [{ type: 'message' }], service_tier: null } },
  );
  const text = JSON.stringify(usual);
  const opened = text.indexOf('"content":[') + '"content":['.length;
  const said = { from: opened, to: text.indexOf('],"stop_reason"') };
  const bytes = Buffer.from(text);
  expect(scan(bytes)).toEqual(usageOf(parseLine(bytes, 0, bytes.length)!, 0));
  const place = fc.nat(bytes.length - 1).filter((at) => at < said.from || at >= said.to);
  const put = fc.constantFrom(...Array.from(Buffer.from('"{}[],:\\0179-+.eE tfnu\0ü')));
  fc.assert(
    fc.property(fc.array(fc.tuple(place, put), { minLength: 1, maxLength: 3 }), (changes) => {
      const damaged = Buffer.from(bytes);
      for (const [at, byte] of changes) damaged[at] = byte;
      const whole = parseLine(damaged, 0, damaged.length);
      expect(scan(damaged)).toEqual(whole ? usageOf(whole, 0) : []);
    }),
    { numRuns: 1500 },
  );
});

test('one line never affects the next, however similar they are', () => {
  const field = fc.constantFrom(
    '"type":"assistant"',
    '"type":"user"',
    '"timestamp":"2026-11-16T01:02:03.456Z"',
    '"timestamp":"2026-11-30T01:02:03.456Z"',
    '"timestamp":"2026-11-32T01:02:03.456Z"',
    '"gitBranch":"main"',
    '"gitBranch":"next"',
    '"gitBranch":null',
    '"isSidechain":true',
    '"isSidechain":false',
    '"cwd":"/work"',
    '"forkedFrom":{"sessionId":"s0"}',
  );
  const fields = fc.array(field, { maxLength: 3 });
  // a line with two types is invalid; the first one wins
  const first = fc.array(
    field.filter((text) => text !== '"type":"user"'),
    { maxLength: 3 },
  );
  const end = fc.constantFrom(
    '"type":"assistant","gitBranch":"main"',
    '"type":"assistant","gitBranch":"next"',
    '"type":"assistant","gitBranch":"main","isSidechain":true',
    '"type":"assistant","gitBranch":"main","forkedFrom":{"sessionId":"s0"}',
    '"type":"assistant","gitBranch":"main","timestamp":"2026-11-16T01:02:03.456Z"',
    '"type":"assistant"',
    '"gitBranch":"main"',
  );
  const said = fc.constantFrom<unknown[]>([], [{ usage }], [{ text: '"usage":{}]}'.repeat(9) }]);
  const spent = fc.constantFrom(usage, { ...usage, input_tokens: 1e9 });
  const toLine = fc
    .tuple(first, said, spent, fields, fc.option(field), end)
    .map(([before, content, used, after, last, usual]) => {
      const message = `"message":${JSON.stringify(line({}, { content, usage: used }).message)}`;
      const time = last ?? '"timestamp":"2026-11-16T01:02:03.456Z"';
      return Buffer.from(`{${[...before, message, ...after, time, usual].join(',')}}`);
    });
  fc.assert(
    fc.property(fc.array(toLine, { minLength: 2, maxLength: 8 }), (lines) => {
      const told = lines.map((bytes, n) => Buffer.from(bytes.toString().replaceAll('msg_1', `msg_${n}`)));
      const records = told.flatMap((bytes) => usageOf(parseLine(bytes, 0, bytes.length)!, 0));
      const byKey = (one: UsageRecord, other: UsageRecord) => (one.key < other.key ? -1 : 1);
      expect(scan(...told).sort(byKey)).toEqual(records.sort(byKey));
    }),
    { numRuns: 1000 },
  );
});

test('a duplicate field counts as written last, and times must be valid', () => {
  const twice = JSON.stringify(line()).replace('"input_tokens":3', '"input_tokens":9,"input_tokens":3');
  expect(read(twice)).toEqual([told]);
  expect(read(JSON.stringify(line()).replace('"requestId"', '"message":{},"requestId"'))).toEqual([]);
  for (const timestamp of [
    '2026-02-30T01:02:03.456Z',
    '2026-13-01T01:02:03.456Z',
    '2026-01-01T24:02:03.456Z',
    'soon',
  ]) {
    const at = Date.parse(timestamp);
    expect(read(line({ timestamp })).map((record) => record.at)).toEqual(Number.isNaN(at) ? [] : [at]);
  }
});
