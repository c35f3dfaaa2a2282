import type { Sqlite } from '../../journal/sqlite.ts';
import type { Prices } from '../prices/prices.ts';
import type { FileUsage } from '../usage/file-usage.ts';
import type { Spent } from '../usage/other-requests.ts';
import { costOf } from '../usage/session-usage.ts';
import type { SharedMessages } from '../usage/shared-messages.ts';
import { addTotals, noTotals } from '../usage/totals.ts';
import type { UsageRecord } from '../usage/usage.ts';

interface MessageFile {
  id: number;
  agentId: string | null;
  bornMs: number;
  firstAt: number | null;
  lastAt: number | null;
  shared: string | null;
}

/** The usage of messages counted in one session. */
export class SessionMessages {
  readonly files: MessageFile[];
  readonly #db: Sqlite;
  readonly #sessionId: string;
  readonly #prices: Prices;
  readonly #usageOf: (fileId: number) => FileUsage;
  #all: Spent | undefined;
  #records: { record: UsageRecord; isMain: boolean }[] | undefined;

  constructor(
    db: Sqlite,
    { sessionId, prices, usageOf }: { sessionId: string; prices: Prices; usageOf: (fileId: number) => FileUsage },
  ) {
    this.#db = db;
    this.#sessionId = sessionId;
    this.#prices = prices;
    this.#usageOf = usageOf;
    this.files = db
      .prepare(
        `SELECT id, agent_id AS agentId, born_ms AS bornMs, first_at AS firstAt, last_at AS lastAt, shared FROM files
         WHERE session_id = ?`,
      )
      .all(sessionId) as MessageFile[];
  }

  /** The file that counts most of the messages this session started with. null: it started without copied messages. */
  get parentFile(): number | null {
    const counts = this.files
      .filter(({ agentId }) => agentId === null)
      .flatMap(({ shared }) => (shared ? (JSON.parse(shared) as SharedMessages) : []));
    const [first] = counts.toSorted((a, b) => b[1].length - a[1].length);
    return first?.[0] ?? null;
  }

  /** From a time, up to another. */
  spent(from: number, before: number): Spent {
    const isAll = this.files.every(({ firstAt, lastAt }) => (firstAt ?? from) >= from && (lastAt ?? from) < before);
    if (isAll) return this.#spentInAll();
    const models: Spent['models'] = new Map();
    for (const { record } of this.#own())
      if (record.at >= from && record.at < before) add(models, record, this.#prices);
    return { models };
  }

  /** When the main agent's first message after a time was written. Infinity: there is none. */
  nextMessage(after: number): number {
    const main = this.files.filter(({ agentId }) => agentId === null);
    if (main.every(({ lastAt }) => lastAt === null || lastAt <= after)) return Number.POSITIVE_INFINITY;
    const later = this.#own().flatMap(({ record, isMain }) => (isMain && record.at > after ? [record.at] : []));
    return later.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  }

  #spentInAll(): Spent {
    if (this.#all) return this.#all;
    const rows = this.#db
      .prepare(
        `SELECT model, SUM(input) AS input, SUM(output) AS output, SUM(cache_read) AS cacheRead,
           SUM(cache_write_5m) AS cacheWrite5m, SUM(cache_write_1h) AS cacheWrite1h, SUM(web_searches) AS webSearches,
           COALESCE(SUM(total_usd), 0) AS usd
         FROM usage WHERE session_id = ? AND kind = 0 GROUP BY model`,
      )
      .all(this.#sessionId) as (ReturnType<typeof noTotals> & { usd: number; model: string })[];
    this.#all = { models: new Map(rows.map(({ model, ...totals }) => [model, totals])) };
    return this.#all;
  }

  #own(): { record: UsageRecord; isMain: boolean }[] {
    if (this.#records) return this.#records;
    const own = new Map<string, { record: UsageRecord; isMain: boolean }>();
    for (const { id, agentId, shared } of this.files) {
      const others = new Set(shared ? (JSON.parse(shared) as SharedMessages).flatMap(([, keys]) => keys) : []);
      for (const record of this.#usageOf(id).values())
        if (!others.has(record.key)) own.set(record.key, { record, isMain: agentId === null });
    }
    this.#records = [...own.values()];
    return this.#records;
  }
}

function add(models: Spent['models'], record: UsageRecord, prices: Prices): void {
  const sum = models.get(record.model) ?? { ...noTotals(), usd: 0 };
  models.set(record.model, sum);
  addTotals(sum, record);
  sum.usd += costOf(record, prices)?.totalUsd ?? 0;
}
