import type { Sqlite, Statement } from '../journal/sqlite.ts';
import { type Facts, titleOf } from './facts.ts';
import { withoutCopies } from './index/without-copies.ts';

interface FactsRow {
  path: string;
  agentId: string | null;
  size: number;
  mtimeMs: number;
  facts: string | null;
}

/** The rows of sessions, made from the facts of their transcripts. */
export class SessionRows {
  readonly #files: Statement;
  readonly #remove: Statement;
  readonly #insert: Statement;

  constructor(db: Sqlite) {
    this.#files = db.prepare(
      'SELECT path, agent_id AS agentId, size, mtime_ms AS mtimeMs, facts FROM files WHERE session_id = ? ORDER BY size DESC, path',
    );
    this.#remove = db.prepare('DELETE FROM sessions WHERE id = ?');
    this.#insert = db.prepare(
      `INSERT INTO sessions (id, path, bytes, title, cwd, branch, model, started_at, last_at, first_prompt, last_prompt,
         prompts, messages, tool_calls, lines_added, lines_removed, sub_agents)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  /** Writes it anew. Without transcripts there is none. */
  save(sessionId: string): void {
    const files = (this.#files.all(sessionId) as FactsRow[])
      .map((row) => ({ ...row, facts: row.facts === null ? null : (JSON.parse(row.facts) as Facts) }))
      .filter(isConversation);
    this.#remove.run(sessionId);
    // without one of its own, what its subagents wrote is all there is of it
    const own = withoutCopies(files);
    const main = own.find(({ agentId }) => agentId === null) ?? own[0];
    if (!main) return;
    const all = own.flatMap(({ facts }) => facts ?? []);
    const sum = (of: (facts: Facts) => number) => all.reduce((total, facts) => total + of(facts), 0);
    const { facts } = main;
    this.#insert.run(
      sessionId,
      main.path,
      files.reduce((total, { size }) => total + size, 0),
      (facts && titleOf(facts)) ?? sessionId,
      facts?.cwd ?? null,
      facts?.branch ?? null,
      facts?.model ?? null,
      min(all.flatMap((one) => one.startedAt ?? [])),
      max(all.flatMap((one) => one.lastAt ?? [])) ?? Math.round(main.mtimeMs),
      facts?.firstPrompt ?? null,
      facts?.lastPrompt ?? null,
      facts?.prompts ?? 0,
      sum(({ messages }) => messages),
      sum(({ toolCounts }) => Object.values(toolCounts).reduce((total, count) => total + count, 0)),
      sum(({ linesAdded }) => linesAdded),
      sum(({ linesRemoved }) => linesRemoved),
      own.filter(({ agentId }) => agentId !== null).length,
    );
  }
}

/** Beside those of its subagents lie other files of lines under a session: journals, results, notes. */
export function isConversation({ agentId, facts }: { agentId: string | null; facts: Facts | null }): boolean {
  return agentId === null || facts === null || facts.messages > 0;
}

function min(values: number[]): number | null {
  return values.length > 0 ? Math.min(...values) : null;
}

function max(values: number[]): number | null {
  return values.length > 0 ? Math.max(...values) : null;
}
