import { appendFileSync, renameSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Prices } from '../prices/prices.ts';
import { addSighting, unpackUsage } from '../usage/file-usage.ts';
import { scanUsage } from '../usage/scan-usage.ts';
import type { UsageRecord } from '../usage/usage.ts';
import { answer, lines, makeIndex, prompt } from './index-for-test.ts';

/** A file system's clock has a resolution of a few milliseconds. */
const later = () => new Promise((resolve) => setTimeout(resolve, 30));

const used = (messages: number, output: number) => ({ messages, output, input: 3 * messages });

describe('counting', () => {
  test('counts a message once, with its most complete usage', async () => {
    const index = makeIndex();
    index.write(
      'p/s1.jsonl',
      lines(answer({ id: 'a', output: 1 }), answer({ id: 'a', output: 1 }), answer({ id: 'a', output: 90 })),
    );
    await index.scan();
    expect(index.totals()).toMatchObject([{ ...used(1, 90), cacheRead: 1000, write5m: 20, write1h: 30 }]);
  });

  test('counts lines of one message once, in any order and however often', async () => {
    const all = ['a', 'b', 'c'].flatMap((id, n) => [1, 5, 40 + n].map((output) => answer({ id, output })));
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...all, ...all], { minLength: 18 }), async (shuffled) => {
        const index = makeIndex();
        index.write('p/s1.jsonl', lines(...shuffled));
        await index.scan();
        expect(index.totals()).toMatchObject([used(3, 123)]);
      }),
      { numRuns: 15 },
    );
  });

  test('counts copied messages in one session, and in the other if that one is deleted', async () => {
    const index = makeIndex();
    const shared = [answer({ id: 'a', output: 7 }), answer({ id: 'b', output: 8 })];
    const first = index.write('p/s1.jsonl', lines(...shared));
    index.write('q/s2.jsonl', lines(...shared, answer({ id: 'c', output: 9, sessionId: 's2' })));
    await index.scan();
    const bySession = () => index.all('SELECT session_id AS id, SUM(messages) AS n FROM usage GROUP BY id ORDER BY id');
    expect(bySession()).toEqual([
      { id: 's1', n: 2 },
      { id: 's2', n: 1 },
    ]);
    rmSync(first);
    index.restart();
    await index.scan();
    expect(bySession()).toEqual([{ id: 's2', n: 3 }]);
    expect(index.totals()).toMatchObject([used(3, 24)]);
    expect(index.all('SELECT id FROM sessions')).toEqual([{ id: 's2' }]);
  });

  test('counts copied messages in the original session, whatever the names and order', async () => {
    const bySession = 'SELECT session_id AS id, SUM(messages) AS n FROM usage GROUP BY id ORDER BY id';
    const mine = answer({ id: 'b', sessionId: 'a-fork' });
    const original = lines(answer({ id: 'a' }), answer({ id: 'c' }));
    const copies = {
      marked: lines(answer({ id: 'a', forkedFrom: { sessionId: 'z' }, sessionId: 'a-fork' }), mine),
      unmarked: lines(answer({ id: 'a', sessionId: 'a-fork' }), mine),
    };
    const counted = [
      { id: 'a-fork', n: 1 },
      { id: 'z', n: 2 },
    ];
    for (const copy of Object.values(copies)) {
      const index = makeIndex();
      index.write('p/z.jsonl', original);
      await later();
      const fork = index.write('p/a-fork.jsonl', copy);
      await index.touch(fork);
      await index.scan();
      expect(index.all(bySession)).toEqual(counted);
    }
    // files copied from elsewhere were created in any order
    const index = makeIndex();
    index.write('p/a-fork.jsonl', copies.marked);
    await later();
    index.write('p/z.jsonl', original);
    await index.scan();
    expect(index.all(bySession)).toEqual(counted);
  });

  test('gives the same totals for any file order', async () => {
    const a = lines(answer({ id: 'x', output: 5 }), answer({ id: 'y', output: 50 }));
    const b = lines(answer({ id: 'x', output: 500 }), answer({ id: 'y', output: 5 }));
    const orders = [
      [a, b],
      [b, a],
    ];
    for (const order of orders) {
      const index = makeIndex();
      for (const [n, content] of order.entries()) await index.touch(index.write(`p/s${n}.jsonl`, content));
      expect(index.totals()).toMatchObject([used(2, 550)]);
    }
  });

  test('has no price for an unknown model', async () => {
    const index = makeIndex();
    index.write('p/s1.jsonl', lines(answer({ id: 'a', model: 'gpt-x' })));
    await index.scan();
    expect(index.totals()).toMatchObject([{ ...used(1, 10), usd: null }]);
  });

  test('recomputes costs when prices change', async () => {
    const index = makeIndex();
    index.write('p/s1.jsonl', lines(answer({ id: 'a', model: 'gpt-x' })));
    await index.scan();
    const rates = { input: 1e6, output: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 };
    await index.setPrices(new Prices([{ model: 'gpt-x', ...rates, batchFactor: 1, contextWindow: 1 }]));
    expect(index.totals()).toMatchObject([{ usd: 3 }]);
  });
});

describe('what changed', () => {
  test('reads only what is new', async () => {
    const index = makeIndex();
    const path = index.write('p/s1.jsonl', lines(answer({ id: 'a' })));
    await index.scan();
    appendFileSync(path, lines(answer({ id: 'b', text: 'later words' })));
    index.restart();
    await index.scan();
    expect(index.totals()).toMatchObject([used(2, 20)]);
    expect(index.pieces()).toHaveLength(2);
    expect(index.find('later')).toHaveLength(1);
    const [file] = index.all('SELECT totals_offset AS totals, text_offset AS text FROM files');
    expect(file).toEqual({ totals: statSync(path).size, text: statSync(path).size });
  });

  const rewrites: [string, (path: string, content: string) => void][] = [
    ['rewritten and longer', (path, content) => writeFileSync(path, content.repeat(3))],
    [
      'cut short',
      (path, content) => {
        truncateSync(path, 0);
        writeFileSync(path, content);
      },
    ],
    [
      'replaced by another file',
      (path, content) => {
        writeFileSync(`${path}.new`, content.repeat(5));
        renameSync(`${path}.new`, path);
      },
    ],
  ];
  test.each(rewrites)('rereads a file that was %s', async (_, rewrite) => {
    const index = makeIndex();
    const path = index.write('p/s1.jsonl', lines(prompt('old words'), answer({ id: 'a' }), answer({ id: 'b' })));
    await index.scan();
    rewrite(path, lines(answer({ id: 'c', output: 77, text: 'new words' })));
    await index.scan();
    expect(index.totals()).toMatchObject([used(1, 77)]);
    expect(index.find('old')).toEqual([]);
    expect(index.find('new').length).toBeGreaterThan(0);
  });

  test('rereads a file of the same size that was written to', async () => {
    const index = makeIndex();
    const path = index.write('p/s1.jsonl', lines(answer({ id: 'a', output: 11 })));
    await index.scan();
    const { size } = statSync(path);
    writeFileSync(path, lines(answer({ id: 'a', output: 22 })).slice(-size));
    utimesSync(path, 1, 1);
    await index.scan();
    expect(index.totals()).toMatchObject([used(1, 22)]);
  });

  test('a deleted folder takes its sessions with it', async () => {
    const index = makeIndex();
    index.write('p/s1.jsonl', lines(prompt('words'), answer({ id: 'a' })));
    await index.scan();
    rmSync(index.path('p'), { recursive: true });
    await index.scan();
    for (const table of ['files', 'usage', 'pieces', 'origins', 'sessions', 'touched'])
      expect(index.all(`SELECT * FROM ${table}`)).toEqual([]);
    expect(index.find('words')).toEqual([]);
  });

  test('rereads a file that another parser read', async () => {
    const index = makeIndex();
    index.write('p/s1.jsonl', lines(answer({ id: 'a' })));
    await index.scan();
    index.all('UPDATE files SET parser = 0 RETURNING id');
    index.all('UPDATE usage SET output = 999 RETURNING at');
    index.restart();
    await index.scan();
    expect(index.totals()).toMatchObject([used(1, 10)]);
  });

  test('gives the same result when interrupted at any byte and resumed', async () => {
    const content = Buffer.from(
      lines(
        prompt('ünï words'),
        answer({ id: 'a', output: 1 }),
        answer({ id: 'a', output: 30, text: 'ein "Zitat" ✓' }),
        '{"type":"brand-new"}',
        'broken {',
        answer({ id: 'b', output: 5, at: '2026-11-17T00:00:00.000Z' }),
      ),
    );
    const whole = makeIndex();
    whole.write('p/s1.jsonl', content);
    await whole.scan();
    const told = (index: typeof whole) => ({
      totals: index.totals(),
      pieces: index.pieces().map((piece) => ({ ...piece, path: '' })),
      sessions: index.all('SELECT title, prompts, messages FROM sessions'),
      problems: index.status().problems.map(({ problem, count }) => ({ problem, count })),
      unknown: index.status().unknownLineTypes,
    });
    const index = makeIndex();
    const path = index.write('p/s1.jsonl', content);
    const scan = (from: number, usage: Map<string, UsageRecord>) => {
      const { messages, records } = scanUsage(path, from)!;
      for (const record of [...unpackUsage(messages.packed).values(), ...records]) addSighting(usage, record);
      return messages.offset;
    };
    const atOnce = new Map<string, UsageRecord>();
    scan(0, atOnce);
    for (let cut = 0; cut <= content.length; cut++) {
      const inTwo = new Map<string, UsageRecord>();
      writeFileSync(path, content.subarray(0, cut));
      const offset = scan(0, inTwo);
      appendFileSync(path, content.subarray(cut));
      scan(offset, inTwo);
      expect(inTwo, `cut at ${cut}`).toEqual(atOnce);
    }
    // the whole index costs more, so not at every byte but at each kind of position
    for (let cut = 0; cut <= content.length; cut += 17) {
      writeFileSync(path, '');
      await index.touch(path);
      writeFileSync(path, content.subarray(0, cut));
      await index.touch(path);
      appendFileSync(path, content.subarray(cut));
      await index.touch(path);
      expect(told(index), `cut at ${cut}`).toEqual(told(whole));
    }
  });
});

describe('damaged content', () => {
  test('is reported and does not stop the indexer', async () => {
    const index = makeIndex();
    index.write(
      'p/s1.jsonl',
      Buffer.concat([
        Buffer.from(`\uFEFF${lines(answer({ id: 'a' }))}`),
        Buffer.from(
          lines('not json', '[1]', '"usage"', '{"type":"brand-new"}', '{"type":7}', '{"type":"brand-new","usage":{}}'),
        ),
        Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d, 10]),
        Buffer.from([0xff, 0xfe, 10]),
        Buffer.from(lines(`\0\0\0${answer({ id: 'b' })}`, answer({ id: 'c' }).replace('Done.', 'Do\0ne.'), '\0\0\0')),
        Buffer.from(lines('\0\0not json', ' \t')),
        Buffer.from(`${answer({ id: 'd' })}\r\n`),
        Buffer.from('{"type":"assistant","mess'),
      ]),
    );
    await index.scan();
    expect(index.totals()).toMatchObject([used(4, 40)]);
    const { phase, problems, unknownLineTypes } = index.status();
    expect(phase).toBe('idle');
    expect(problems.map(({ problem, count, isRead }) => [problem, count, isRead])).toEqual(
      expect.arrayContaining([
        ['not a JSON object', 3, false],
        ['neither UTF-8 nor JSON', 1, false],
        ['NUL bytes', 2, false],
        ['only NUL bytes', 1, false],
        ['not UTF-8 throughout', 1, true],
        ['NUL bytes before the line', 1, true],
      ]),
    );
    expect(problems).toHaveLength(6);
    expect(unknownLineTypes).toEqual([
      { type: 'brand-new', count: 2 },
      { type: '(no type)', count: 2 },
    ]);
  });

  test('reads a line of 50 MB and skips a longer one', async () => {
    const index = makeIndex();
    const huge = answer({ id: 'a', output: 5, text: `needle ${'word '.repeat(10_000_000)}` });
    index.write('p/s1.jsonl', lines(huge, answer({ id: 'b', output: 6 })));
    index.write('p/s2.jsonl', lines(`{"type":"user","x":"${'y'.repeat(66 * 1024 * 1024)}"}`, answer({ id: 'c' })));
    await index.scan();
    expect(index.totals()).toMatchObject([used(3, 21)]);
    expect(index.find('needle')).toHaveLength(1);
    expect(index.status().problems).toMatchObject([
      { problem: 'longer than 64 MB', count: 1, isRead: false },
      { problem: 'longer than 32 MB', count: 1, isRead: true },
    ]);
  });

  test('survives arbitrary bytes', async () => {
    const index = makeIndex();
    const piece = fc.oneof(
      fc.uint8Array({ maxLength: 30 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom('\n', '{"', '"usage"', '":{', '}', ']', '\\', '\0', '{"type":"assistant"}\n')
        .map((text) => Buffer.from(text)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), async (pieces) => {
        index.write('p/s1.jsonl', Buffer.concat([...pieces, Buffer.from(`\n${answer({ id: 'z' })}\n`)]));
        index.restart();
        await index.scan();
        expect(index.totals()).toMatchObject([used(1, 10)]);
        expect(index.status().phase).toBe('idle');
      }),
      { numRuns: 60 },
    );
  });
});

test('counts a subagent’s messages as its own, even if older clients also wrote them into its parent’s transcript', async () => {
  const index = makeIndex();
  const said = answer({ id: 'b', isSidechain: true });
  const { isSidechain, ...told } = JSON.parse(said);
  const progress = JSON.stringify({
    type: 'progress',
    data: { type: 'agent_progress', message: told },
    isSidechain: false,
  });
  index.write('p/s1.jsonl', lines(answer({ id: 'a' }), progress));
  index.write('p/s1/subagents/agent-x7.jsonl', lines(said));
  await index.scan();
  expect(index.all('SELECT agent_id AS agentId, messages FROM usage ORDER BY agent_id')).toEqual([
    { agentId: null, messages: 1 },
    { agentId: 'x7', messages: 1 },
  ]);
});

test('ignores files without a conversation', async () => {
  const index = makeIndex();
  index.write('p/s1.jsonl', lines(prompt('hello')));
  index.write('p/s1/subagents/agent-x7.jsonl', lines(answer({ id: 'b', isSidechain: true })));
  index.write('p/s1/subagents/workflows/w1/journal.jsonl', lines('{"type":"started"}'));
  index.write('p/memory/notes.jsonl', lines('{"note":1}'));
  await index.scan();
  expect(index.all('SELECT id, sub_agents AS agents FROM sessions')).toEqual([{ id: 's1', agents: 1 }]);
});

test('a subagent’s messages link to it, and add to its session', async () => {
  const index = makeIndex();
  index.write('p/s1.jsonl', lines(prompt('find the owl'), answer({ id: 'a' })));
  index.write('p/s1/subagents/agent-x7.jsonl', lines(answer({ id: 'b', text: 'an owl', isSidechain: true })));
  index.write('p/agent-old.jsonl', lines(answer({ id: 'c', text: 'old owl', isSidechain: true })));
  await index.scan();
  expect(index.find('owl').map((row) => ({ ...row, uuid: undefined }))).toEqual(
    expect.arrayContaining([
      { sessionId: 's1', agentId: null, kind: 'prompt', uuid: undefined },
      { sessionId: 's1', agentId: 'x7', kind: 'answer', uuid: undefined },
      { sessionId: 's1', agentId: 'old', kind: 'answer', uuid: undefined },
    ]),
  );
  expect(index.all('SELECT id, title, prompts, messages, sub_agents AS agents FROM sessions')).toEqual([
    { id: 's1', title: 'find the owl', prompts: 1, messages: 4, agents: 2 },
  ]);
});

test('reads a file that changes at the end of a long read', async () => {
  const index = makeIndex({
    async onReadingEnds() {
      void index.touch(index.write('p/late.jsonl', lines(answer({ id: 'late', sessionId: 'late' }))));
    },
  });
  // as much as one transaction takes: the reading is ended from outside
  const line = `${prompt('x'.repeat(1000))}\n`;
  index.write('p/long.jsonl', line.repeat(Math.ceil((32 * 1024 * 1024) / line.length)));
  await index.scan();
  expect(index.all("SELECT session_id FROM files WHERE path LIKE '%late%'")).toEqual([{ session_id: 'late' }]);
});
