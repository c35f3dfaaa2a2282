import {
  type OrchestratedQuery,
  type OrchestratedSession,
  Orchestration,
  StartSpec,
} from '../../contract/orchestration.ts';
import { TurnResult } from '../../contract/runners.ts';
import type { Sqlite } from '../journal/sqlite.ts';

interface Row {
  session_id: string;
  spec: string;
  body: string;
  result: string | null;
}

export interface KnownSession {
  id: string;
  spec: StartSpec;
  orchestration: Orchestration;
  result: TurnResult | null;
}

/** Sessions started from here: their task, progress and result. */
export class OrchestratedRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  insert(id: string, spec: StartSpec, orchestration: Orchestration): void {
    const { project, name, lifecycle, parentId, group, createdAt } = orchestration;
    const sql = `INSERT INTO orchestrated (session_id, project, name, lifecycle, parent_id, fan_out, created_at, spec, body)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`;
    const values = [id, project ?? '', name, lifecycle, parentId, group, createdAt];
    this.#db.prepare(sql).run(...values, JSON.stringify(spec), JSON.stringify(orchestration));
  }

  update(id: string, orchestration: Orchestration): void {
    this.#db
      .prepare('UPDATE orchestrated SET lifecycle = ?, body = ? WHERE session_id = ?')
      .run(orchestration.lifecycle, JSON.stringify(orchestration), id);
  }

  setResult(id: string, result: TurnResult | null): void {
    const text = result === null ? null : JSON.stringify(result);
    this.#db.prepare('UPDATE orchestrated SET result = ? WHERE session_id = ?').run(text, id);
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM orchestrated WHERE session_id = ?').run(id);
  }

  get(id: string): KnownSession | undefined {
    return toKnown(this.#db.prepare('SELECT * FROM orchestrated WHERE session_id = ?').get(id) as Row | undefined);
  }

  named(name: string, project?: string): KnownSession[] {
    const where = project === undefined ? 'name = ?' : 'name = ? AND project = ?';
    const rows = this.#db.prepare(`SELECT * FROM orchestrated WHERE ${where} ORDER BY created_at DESC`);
    return (rows.all(...(project === undefined ? [name] : [name, project])) as Row[]).map((row) => toKnown(row)!);
  }

  list({ name, project, parent, group, lifecycle, limit }: OrchestratedQuery): OrchestratedSession[] {
    const wanted = Object.entries({ name, project, parent_id: parent, fan_out: group, lifecycle });
    const given = wanted.filter((entry): entry is [string, string] => entry[1] !== undefined);
    const where = given.length > 0 ? `WHERE ${given.map(([column]) => `${column} = ?`).join(' AND ')}` : '';
    const sql = `SELECT session_id, body FROM orchestrated ${where} ORDER BY created_at DESC LIMIT ?`;
    const rows = this.#db.prepare(sql).all(...given.map(([, value]) => value), limit) as Row[];
    return rows.map(({ session_id: id, body }) => ({ id, ...Orchestration.parse(JSON.parse(body)) }));
  }

  /** Sessions that can still change without the operator. */
  unfinished(): KnownSession[] {
    const sql = `SELECT * FROM orchestrated WHERE lifecycle IN ('queued', 'waiting_for_agent', 'running', 'retrying')
                 ORDER BY created_at`;
    return (this.#db.prepare(sql).all() as Row[]).map((row) => toKnown(row)!);
  }

  /** Children whose end hasn't been reported to their parent yet. */
  dueCallbacks(): KnownSession[] {
    const sql = `SELECT * FROM orchestrated WHERE json_extract(body, '$.callback') = 'due' ORDER BY created_at`;
    return (this.#db.prepare(sql).all() as Row[]).map((row) => toKnown(row)!);
  }

  childrenOf(parentId: string): OrchestratedSession[] {
    return this.list({ parent: parentId, limit: 1000 });
  }
}

function toKnown(row: Row | undefined): KnownSession | undefined {
  if (!row) return undefined;
  return {
    id: row.session_id,
    spec: StartSpec.parse(JSON.parse(row.spec)),
    orchestration: Orchestration.parse(JSON.parse(row.body)),
    result: row.result === null ? null : TurnResult.parse(JSON.parse(row.result)),
  };
}
