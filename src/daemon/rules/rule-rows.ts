import type { Rule, RuleAction, RuleVersion } from '../../contract/rules.ts';
import type { Sqlite } from '../journal/sqlite.ts';

/** Rules on disk: the current ones and all earlier versions. */
export class RuleRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  list(): Rule[] {
    return this.#db.prepare('SELECT body FROM rules ORDER BY rowid').all().map(bodyOf);
  }

  /** Call this in the transaction that records the change. */
  write(action: RuleAction, rule: Rule, { at, by }: { at: number; by: string }): void {
    const body = JSON.stringify(rule);
    if (action === 'deleted') this.#db.prepare('DELETE FROM rules WHERE id = ?').run(rule.id);
    else
      this.#db
        .prepare('INSERT INTO rules (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body')
        .run(rule.id, body);
    this.#db
      .prepare('INSERT INTO rule_versions VALUES (?, ?, ?, ?, ?, ?)')
      .run(rule.id, rule.version, action, at, by, body);
  }

  /** Newest first, including deleted rules. */
  versions(id: string): RuleVersion[] {
    const sql = 'SELECT version, action, at, by, body FROM rule_versions WHERE rule_id = ? ORDER BY version DESC';
    return (this.#db.prepare(sql).all(id) as (Omit<RuleVersion, 'rule'> & { body: string })[]).map(
      ({ version, action, at, by, body }) => ({
        version,
        action,
        at,
        by,
        rule: JSON.parse(body),
      }),
    );
  }
}

function bodyOf(row: unknown): Rule {
  return JSON.parse((row as { body: string }).body);
}
