import type { Sqlite, Statement } from '../../journal/sqlite.ts';
import type { Prices } from '../prices/prices.ts';
import type { CostState } from '../usage/cost-state.ts';
import { otherRequests } from '../usage/other-requests.ts';
import { SLOT_MS } from '../usage/spending.ts';
import { tokensOfTotals } from '../usage/totals.ts';
import { costStates, forkBaseOf } from './cost-states.ts';
import type { FileRows } from './file-rows.ts';
import { SessionMessages } from './session-messages.ts';

/** Stores what sessions used besides their messages, from the client's own sums. */
export class OtherRequestRows {
  readonly #db: Sqlite;
  readonly #rows: FileRows;
  readonly #related: Statement;
  readonly #clear: Statement;
  readonly #insert: Statement;
  readonly #lastBranch: Statement;

  constructor({ db, rows }: { db: Sqlite; rows: FileRows }) {
    this.#db = db;
    this.#rows = rows;
    this.#related = db.prepare(
      `SELECT DISTINCT session_id AS id FROM cost_states WHERE start_time IN (
         SELECT start_time FROM cost_states WHERE session_id IN (SELECT value FROM json_each(?)))`,
    );
    this.#clear = db.prepare('DELETE FROM usage WHERE kind = 1 AND session_id IN (SELECT value FROM json_each(?))');
    this.#insert = db.prepare(
      `INSERT INTO usage (file_id, session_id, at, model, branch, messages, input, output, cache_read, cache_write_5m,
         cache_write_1h, total_usd, input_usd, output_usd, cache_read_usd, cache_write_usd, web_searches, kind)
       VALUES (?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)`,
    );
    this.#lastBranch = db.prepare(
      'SELECT branch FROM usage WHERE session_id = ? AND kind = 0 AND agent_id IS NULL ORDER BY at DESC LIMIT 1',
    );
  }

  /** For these sessions, and for those related to them by continuation. In a transaction. */
  recount(sessionIds: Iterable<string>, prices: Prices): void {
    const asked = new Set(sessionIds);
    if (asked.size === 0) return;
    const related = (this.#related.all(JSON.stringify([...asked])) as { id: string }[]).map(({ id }) => id);
    this.#clear.run(JSON.stringify([...new Set([...asked, ...related])]));
    for (const id of related) this.#count(id, prices);
  }

  #count(sessionId: string, prices: Prices): void {
    const states = costStates(this.#db, sessionId);
    const [first] = states;
    if (!first) return;
    const messages = new SessionMessages(this.#db, {
      sessionId,
      prices,
      usageOf: (fileId) => this.#rows.usageOf(fileId),
    });
    const others = otherRequests({
      states,
      base: this.#baseOf(first, messages),
      spent: (from, before) => messages.spent(from, before),
      nextMessage: (after) => messages.nextMessage(after),
    });
    if (others.length === 0) return;
    const { branch = null } = (this.#lastBranch.get(sessionId) ?? {}) as { branch?: string | null };
    for (const { at, model, clientUsd, ...totals } of others) {
      const cost = prices.costOfSum(
        model,
        { ...tokensOfTotals(totals), webSearches: totals.webSearches, at },
        clientUsd,
      );
      this.#insert.run([
        first.fileId,
        sessionId,
        Math.floor(at / SLOT_MS) * SLOT_MS,
        model,
        branch,
        totals.input,
        totals.output,
        totals.cacheRead,
        totals.cacheWrite5m,
        totals.cacheWrite1h,
        cost?.totalUsd ?? null,
        cost?.inputCostUsd ?? null,
        cost?.outputCostUsd ?? null,
        cost?.cacheReadCostUsd ?? null,
        cost?.cacheCreationCostUsd ?? null,
        totals.webSearches,
      ]);
    }
  }

  #baseOf(first: CostState & { fileId: number }, { files, parentFile }: SessionMessages): CostState | undefined {
    const bornMs = files.find(({ id }) => id === first.fileId)?.bornMs ?? 0;
    const parentId = parentFile === null ? null : (this.#rows.byId(parentFile)?.sessionId ?? null);
    return forkBaseOf(this.#db, { first, bornMs, parentId });
  }
}
