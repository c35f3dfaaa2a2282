import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeCorpus } from '../../../../test/bench/corpus/make-corpus.ts';
import { ORDINARY } from '../../../../test/bench/corpus/style.ts';
import { realProjects } from '../index/find-transcripts.ts';
import { lookFirst } from '../index/first-look.ts';
import { answer, costState, lines, makeIndex, prompt } from '../index/index-for-test.ts';
import type { ScanUsage } from '../index/totals-pass.ts';
import { Prices } from '../prices/prices.ts';
import { stats } from '../stats/stats.ts';
import { scanOne } from '../threads/scan-thread.ts';
import { readEverything } from './read-everything.ts';
import { type UsageQuery, usageReport } from './usage-report.ts';

const scan: ScanUsage = async (scans, onScanned, prices) => {
  for (const [place, one] of scans.entries()) onScanned(place, scanOne(one, prices));
};

async function report(configDirs: string[], query: Partial<UsageQuery> = {}) {
  const projects = configDirs.map(realProjects);
  const { db } = await readEverything({ projects, prices: new Prices(), look: async () => lookFirst(projects), scan });
  try {
    return await usageReport(db, { by: 'day', weekStart: 'monday', timeZone: 'UTC', ...query });
  } finally {
    db.close();
  }
}

test('is the same as the statistics of the daemon, by time, model and project, in several time zones', async () => {
  const index = makeIndex();
  const style = {
    ...ORDINARY,
    copies: 0.5,
    compacts: 0.3,
    notes: 1,
    keyOrders: ['client', 'sorted', 'spaced'] as const,
  };
  makeCorpus({ folder: index.folder, bytes: 800_000, files: 20, seed: 5, days: 40, style });
  const startTime = Date.parse('2026-11-16T09:59:00Z');
  const models = { 'claude-opus-4-5-20251101': { inputTokens: 5000, outputTokens: 400, costUSD: 0.5 } };
  index.write(
    'p/s1.jsonl',
    lines(prompt('hi'), answer({ id: 'a' }), costState({ sessionId: 's1', startTime, duration: 90_000, models })),
  );
  await index.scan();
  const context = index.reader();
  for (const timeZone of ['UTC', 'America/St_Johns', 'Asia/Kathmandu'])
    for (const by of ['day', 'week', 'month', 'model', 'project'] as const)
      for (const range of [{}, { since: '2026-08-10', until: '2026-09-20' }]) {
        const theirs = await stats(context, { by, timeZone, after: range.since, before: range.until });
        const ours = await report([index.folder], { by, timeZone, ...range });
        const wanted = [...theirs.rows, theirs.total].map(
          ({ key, label, sessions, messages, tokens, cost, other }) => ({
            ...{ key, label, messages, tokens, other: other && { ...other, cost: rounded(other.cost) } },
            // a session counts on each day with activity; without its text, only responses are known
            cost: rounded(cost),
            ...(by === 'model' ? { sessions } : {}),
          }),
        );
        const found = [...ours.rows, ours.total].map((row) => ({
          ...{ key: row.key, label: row.label, messages: row.messages, tokens: row.tokens },
          other: row.other && { ...row.other, cost: rounded(row.other.cost) },
          cost: rounded(row.cost),
          ...(by === 'model' ? { sessions: row.sessions } : {}),
        }));
        const byKey = (rows: { key: string }[]) => rows.toSorted((a, b) => (a.key < b.key ? -1 : 1));
        // with text, days without usage have a row as well
        const used = wanted.filter(({ messages, other }) => messages > 0 || other);
        expect(byKey(found), `${by} ${timeZone}`).toEqual(byKey(used));
      }
});

/** Far below a cent; beyond it, the order of addition shows. */
function rounded<T extends object>(cost: T | null): T | null {
  if (cost === null) return null;
  const entries = Object.entries(cost).map(([key, value]) => [
    key,
    typeof value === 'number' ? Number(value.toFixed(8)) : value,
  ]);
  return Object.fromEntries(entries);
}

test('counts a message once over several config folders, and splits each row by model', async () => {
  const index = makeIndex();
  const other = mkdtempSync(join(tmpdir(), 'gc-usage-'));
  onTestFinished(() => rmSync(other, { recursive: true, force: true }));
  const haiku = answer({ id: 'b', model: 'claude-haiku-4-5-20251001' });
  index.write('p/s1.jsonl', lines(answer({ id: 'a' }), haiku));
  makeCorpus({ folder: other, bytes: 20_000, files: 1, seed: 1 });
  const apart = await report([other]);
  const first = await report([index.folder]);
  const both = await report([index.folder, other, index.folder]);
  expect(both.total.messages).toBe(first.total.messages + apart.total.messages);
  expect(first.rows).toMatchObject([
    {
      key: '2026-11-16',
      messages: 2,
      models: [
        { model: 'claude-opus-4-5-20251101', messages: 1 },
        { model: 'claude-haiku-4-5-20251001', messages: 1 },
      ],
    },
  ]);
});

test('supports sessions, and weeks that start on another day', async () => {
  const index = makeIndex();
  index.write('p/s1.jsonl', lines(answer({ id: 'a', at: '2026-11-14T10:00:00.000Z' })));
  index.write('p/s2.jsonl', lines(answer({ id: 'b', at: '2026-11-15T10:00:00.000Z' }), answer({ id: 'c' })));
  const keys = async (query: Partial<UsageQuery>) => (await report([index.folder], query)).rows.map(({ key }) => key);
  expect((await keys({ by: 'session' })).sort()).toEqual(['s1', 's2']);
  expect(await keys({ by: 'week' })).toEqual(['2026-W46', '2026-W47']);
  expect(await keys({ by: 'week', weekStart: 'sunday' })).toEqual(['2026-11-08', '2026-11-15']);
});
