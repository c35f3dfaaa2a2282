import type { Sqlite } from './sqlite.ts';

/** Progress of the journal's housekeeping. */
export class Upkeep {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  get(name: 'shortened_to' | 'removed_to' | 'removed'): number {
    const row = this.#db.prepare('SELECT value FROM upkeep WHERE name = ?').get(name) as { value: number } | undefined;
    return row?.value ?? 0;
  }

  set(name: Parameters<Upkeep['get']>[0], value: number): void {
    this.#db
      .prepare('INSERT INTO upkeep VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
      .run(name, value);
  }
}
