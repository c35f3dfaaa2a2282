import type { Snapshot, Worktree, WorktreeState } from '../../contract/worktrees.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** Stored worktrees, snapshots and the operator's consents. */
export class WorktreeRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  save(worktree: Worktree): void {
    const { id, project, name, state } = worktree;
    this.#db
      .prepare(
        `INSERT INTO worktrees (id, project, name, state, body) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, body = excluded.body`,
      )
      .run(id, project ?? '', name.toLowerCase(), state, JSON.stringify(worktree));
  }

  get(id: string): Worktree | undefined {
    return this.#one('SELECT body FROM worktrees WHERE id = ?', id);
  }

  /** The one on the disk that has this name, in any case. */
  named(project: string | null, name: string): Worktree | undefined {
    return this.#one(
      "SELECT body FROM worktrees WHERE project = ? AND name = ? AND state IN ('creating', 'ready', 'removing')",
      project ?? '',
      name.toLowerCase(),
    );
  }

  list(states: readonly WorktreeState[]): Worktree[] {
    const marks = states.map(() => '?').join(', ');
    return this.#db
      .prepare(`SELECT body FROM worktrees WHERE state IN (${marks}) ORDER BY place DESC`)
      .all(...states)
      .map(toBody<Worktree>);
  }

  saveSnapshot(snapshot: Snapshot): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO worktree_snapshots (id, at, body) VALUES (?, ?, ?)')
      .run(snapshot.id, snapshot.at, JSON.stringify(snapshot));
  }

  snapshot(id: string): Snapshot | undefined {
    const row = this.#db.prepare('SELECT body FROM worktree_snapshots WHERE id = ?').get(id);
    return row ? toBody<Snapshot>(row) : undefined;
  }

  snapshots(): Snapshot[] {
    return this.#db
      .prepare('SELECT body FROM worktree_snapshots ORDER BY at DESC')
      .all()
      .map(toBody<Snapshot>);
  }

  allow(project: string, hash: string): void {
    this.#db.prepare('INSERT OR IGNORE INTO worktree_consents (project, hash) VALUES (?, ?)').run(project, hash);
  }

  isAllowed(project: string, hash: string): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM worktree_consents WHERE project = ? AND hash = ?').get(project, hash) !==
      undefined
    );
  }

  #one(sql: string, ...values: unknown[]): Worktree | undefined {
    const row = this.#db.prepare(sql).get(...values);
    return row ? toBody<Worktree>(row) : undefined;
  }
}

const toBody = <T>(row: unknown): T => JSON.parse((row as { body: string }).body);
