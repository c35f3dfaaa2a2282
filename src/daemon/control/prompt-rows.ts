import type { Prompt } from '../../contract/prompts.ts';
import type { Sqlite } from '../journal/sqlite.ts';

interface Row {
  body: string;
}

/** Prompts on disk. */
export class PromptRows {
  readonly #db: Sqlite;

  constructor(db: Sqlite) {
    this.#db = db;
  }

  insert(prompt: Prompt): void {
    const { id, sessionId, status } = prompt;
    this.#db
      .prepare('INSERT INTO prompts (id, session_id, status, body) VALUES (?, ?, ?, ?)')
      .run(id, sessionId, status, JSON.stringify(prompt));
  }

  update(prompt: Prompt): void {
    this.#db
      .prepare('UPDATE prompts SET status = ?, body = ? WHERE id = ?')
      .run(prompt.status, JSON.stringify(prompt), prompt.id);
  }

  get(id: string): Prompt | undefined {
    const row = this.#db.prepare('SELECT body FROM prompts WHERE id = ?').get(id);
    return row ? toPrompt(row) : undefined;
  }

  /** Oldest first; if there are many, the newest ones. */
  ofSession(sessionId: string, { limit }: { limit: number }): Prompt[] {
    const sql = 'SELECT body FROM prompts WHERE session_id = ? ORDER BY place DESC LIMIT ?';
    return this.#db.prepare(sql).all(sessionId, limit).map(toPrompt).reverse();
  }

  lastDelivered(sessionId: string): Prompt | undefined {
    const sql = "SELECT body FROM prompts WHERE session_id = ? AND status = 'delivered' ORDER BY place DESC LIMIT 1";
    const row = this.#db.prepare(sql).get(sessionId);
    return row ? toPrompt(row) : undefined;
  }

  queued(): Prompt[] {
    return this.#db.prepare("SELECT body FROM prompts WHERE status = 'queued' ORDER BY place").all().map(toPrompt);
  }
}

const toPrompt = (row: unknown): Prompt => JSON.parse((row as Row).body);
