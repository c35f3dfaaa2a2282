import { z } from 'zod';
import { FanOut, FanOutKept, FanOutRequest } from '../../contract/fan-outs.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** The stored part of a fan-out. The state of its runs comes from their sessions and worktrees. */
export const StoredFanOut = z.object({
  id: z.string(),
  name: z.string(),
  project: z.string(),
  base: FanOut.shape.base,
  request: FanOutRequest,
  state: z.enum(['starting', 'open', 'kept', 'discarded']),
  errors: z.record(z.string(), z.string()).describe('Of runs that could not be started, by name'),
  kept: FanOutKept.nullable(),
  isClearing: z.boolean(),
  leftovers: z.array(z.object({ run: z.string(), why: z.string() })),
  startedBy: z.string(),
  createdAt: z.number(),
  settledAt: z.number().nullable(),
});
export type StoredFanOut = z.infer<typeof StoredFanOut>;

export const runName = ({ name }: { name: string }, index: number): string => `${name}-${index + 1}`;

export class FanOutRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  save(fanOut: StoredFanOut): void {
    const sql = `INSERT INTO fan_outs (id, project, name, created_at, body) VALUES (?, ?, ?, ?, ?)
                 ON CONFLICT (id) DO UPDATE SET body = excluded.body`;
    const { id, project, name, createdAt } = fanOut;
    this.#db.prepare(sql).run(id, project, name, createdAt, JSON.stringify(fanOut));
  }

  get(id: string): StoredFanOut | undefined {
    return this.#read('id = ?', [id])[0];
  }

  named(name: string, project: string | undefined): StoredFanOut | undefined {
    return project === undefined
      ? this.#read('name = ?', [name])[0]
      : this.#read('name = ? AND project = ?', [name, project])[0];
  }

  list({ project, limit }: { project?: string | undefined; limit: number }): StoredFanOut[] {
    return project === undefined ? this.#read('1', [], limit) : this.#read('project = ?', [project], limit);
  }

  /** Fan-outs that a killed daemon left unfinished. */
  unsettled(): StoredFanOut[] {
    return this.#read('1', [], 1000).filter(({ state, isClearing }) => state === 'starting' || isClearing);
  }

  #read(where: string, values: string[], limit = 1): StoredFanOut[] {
    const sql = `SELECT body FROM fan_outs WHERE ${where} ORDER BY created_at DESC, rowid DESC LIMIT ?`;
    const rows = this.#db.prepare(sql).all(...values, limit) as { body: string }[];
    return rows.map(({ body }) => StoredFanOut.parse(JSON.parse(body)));
  }
}
