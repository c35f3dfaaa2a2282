import { expect, test } from 'vitest';
import { seededRandom } from '../../../../test/kit/random.ts';
import { Prices } from '../prices/prices.ts';
import { addSighting, type FileUsage, packUsage, parseUsage } from './file-usage.ts';
import { Ledger, type LedgerFile } from './ledger.ts';
import { sightingsOf } from './sightings.ts';
import { SPENDING_COLUMNS, type SpendingCells, spendingOf } from './spending.ts';
import { spendingOfRows } from './spending-of-rows.ts';
import { isBetterSighting, type UsageRecord } from './usage.ts';

interface TestFile {
  id: number;
  path: string;
  bornMs: number;
  usage: FileUsage;
}

/** Few keys, times and amounts, so that most things are tied. */
function makeFiles(seed: number, count: number): TestFile[] {
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, n) => {
    const usage: FileUsage = new Map();
    for (let left = random.integer(0, 40); left > 0; left--) addSighting(usage, someRecord(random));
    return { id: n + 1, path: `/p/${random.hex(6)}.jsonl`, bornMs: random.integer(1, 4), usage };
  });
}

function someRecord(random: ReturnType<typeof seededRandom>): UsageRecord {
  return {
    key: `msg_${random.integer(0, 60)}`,
    // Sonnet 4.5 charged long requests extra until the end of April
    at: Date.UTC(2026, 3, 30, 23, 50) + random.integer(0, 4) * 300_000,
    model: random.pick(['claude-sonnet-4-5', 'claude-haiku-5-5', 'unknown-model']),
    branch: random.pick(['main', 'x', null]),
    input: random.integer(0, 2),
    output: random.integer(0, 1),
    cacheRead: random.pick([0, 150_000, 250_000]),
    cacheWrite5m: 0,
    cacheWrite1h: random.integer(0, 1),
    webSearches: random.integer(0, 1),
    isFast: random.chance(0.1),
    isBatch: random.chance(0.1),
    isUsOnly: random.chance(0.1),
    isSidechain: random.chance(0.3),
    isCopy: random.chance(0.2),
    isForked: random.chance(0.2),
  };
}

/** By comparing every file with every other. */
function ownerOf(files: Iterable<TestFile>, key: string): number | undefined {
  let best: TestFile | undefined;
  for (const file of files) {
    const [one, other] = [file.usage.get(key), best?.usage.get(key)];
    if (!one) continue;
    if (!best || !other || isBetterSighting(one, other)) best = file;
    else if (!isBetterSighting(other, one) && isOlder(file, best)) best = file;
  }
  return best?.id;
}

function isOlder(one: TestFile, other: TestFile): boolean {
  return one.bornMs < other.bornMs || (one.bornMs === other.bornMs && one.path < other.path);
}

test('counts each message in one file, whatever is added, grows or disappears, in any order', () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = seededRandom(seed);
    const there = new Map<number, TestFile>();
    const toLedger = (file: TestFile): LedgerFile => ({ ...file, sightings: () => sightingsOf(file.usage) });
    const ledger = new Ledger({
      get: (id) => (there.has(id) ? toLedger(there.get(id)!) : undefined),
      all: () => [...there.values()].map(toLedger),
    });
    for (const file of makeFiles(seed, 12)) {
      there.set(file.id, file);
      ledger.add(toLedger(file));
      const grown = random.pick([...there.values()] as [TestFile, ...TestFile[]]);
      const more: FileUsage = new Map();
      addSighting(more, someRecord(random));
      for (const record of more.values()) addSighting(grown.usage, record);
      ledger.add({ ...toLedger(grown), sightings: () => sightingsOf(more) });
      if (random.chance(0.3)) {
        const gone = random.pick([...there.values()] as [TestFile, ...TestFile[]]);
        ledger.remove(toLedger(gone));
        there.delete(gone.id);
      }
      for (let n = 0; n <= 60; n++)
        expect(ledger.ownerOf(`msg_${n}`), `seed ${seed}, msg_${n}`).toBe(ownerOf(there.values(), `msg_${n}`));
    }
  }
});

test('treats keys on separate lines like a list', () => {
  const keys = Array.from({ length: 5000 }, (_, n) => `msg_${n}`);
  const ranks = new Float64Array(keys.length * 3).fill(1);
  const ledger = new Ledger({ get: () => undefined, all: () => [] });
  ledger.add({ id: 1, path: '/a', bornMs: 1, sightings: () => ({ keys: keys.join('\n'), ranks }) });
  const { changed } = ledger.add({ id: 2, path: '/b', bornMs: 1, sightings: () => ({ keys: ['other'], ranks }) });
  expect(changed.size).toBe(0);
  expect(keys.every((key) => ledger.ownerOf(key) === 1)).toBe(true);
  expect([ledger.ownerOf('other'), ledger.ownerOf('msg_5000')]).toEqual([2, undefined]);
});

test('a part of the messages costs the same whether summed up first or one by one', () => {
  const prices = new Prices();
  for (const { usage } of makeFiles(7, 60)) {
    const records = [...usage.values()];
    const isCounted = (place: number) => place % 3 !== 0;
    const summed = rowsOf(spendingOfRows(parseUsage(packUsage(usage)), isCounted, prices));
    const single = rowsOf(
      spendingOf(
        records.filter((_, place) => isCounted(place)),
        prices,
      ),
    );
    expect([...summed.keys()].sort()).toEqual([...single.keys()].sort());
    for (const [name, cells] of single)
      expect(summed.get(name)).toEqual(
        cells.map((cell) => (typeof cell === 'number' ? expect.closeTo(cell, 9) : cell)),
      );
  }
});

function rowsOf(cells: SpendingCells): Map<string, SpendingCells> {
  const width = SPENDING_COLUMNS.length;
  return new Map(
    Array.from({ length: cells.length / width }, (_, n) => {
      const row = cells.slice(n * width, (n + 1) * width);
      return [row.slice(0, 3).join(' '), row.slice(3)];
    }),
  );
}
