import type { Sqlite, Statement } from '../../journal/sqlite.ts';
import { type Facts, titleOf } from '../lines/facts.ts';
import { withoutCopies } from './without-copies.ts';

/** More are written with one statement, if nothing was read of them yet: a first start may have fifty thousand. */
const FEW = 50;

interface FactsRow {
  path: string;
  agentId: string | null;
  size: number;
  mtimeMs: number;
  facts: string | null;
}

/** The rows of sessions, built from their transcripts' facts. */
export class SessionRows {
  readonly #files: Statement;
  readonly #remove: Statement;
  readonly #insert: Statement;
  readonly #saveUnread: Statement;
  readonly #withFacts: Statement;

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
    this.#withFacts = db.prepare(
      `SELECT DISTINCT value AS id FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM files WHERE session_id = value)
         OR EXISTS (SELECT 1 FROM files WHERE session_id = value AND facts IS NOT NULL)`,
    );
    this.#saveUnread = db.prepare(
      `INSERT OR REPLACE INTO sessions (id, path, bytes, title, last_at, prompts, messages, tool_calls, lines_added, lines_removed,
         sub_agents)
       SELECT id, path, bytes, id, CAST(ROUND(mtime_ms) AS INTEGER), 0, 0, 0, 0, 0, agents FROM (
         SELECT session_id AS id, path, mtime_ms,
           ROW_NUMBER() OVER (PARTITION BY session_id ORDER BY agent_id IS NOT NULL, size DESC, path) AS place
         FROM files WHERE session_id IN (SELECT value FROM json_each(?1))
       ) JOIN (
         SELECT session_id, SUM(size) AS bytes, COUNT(DISTINCT agent_id) AS agents
         FROM files WHERE session_id IN (SELECT value FROM json_each(?1)) GROUP BY session_id
       ) ON session_id = id WHERE place = 1`,
    );
  }

  saveAll(ids: ReadonlySet<string>): void {
    const read = new Set(ids.size > FEW ? this.#readAmong(ids) : ids);
    const unread = [...ids].filter((id) => !read.has(id));
    if (unread.length > 0) this.#saveUnread.run(JSON.stringify(unread));
    for (const id of read) this.save(id);
  }

  /** Those with more known than their files, or nothing at all. */
  #readAmong(ids: ReadonlySet<string>): string[] {
    return (this.#withFacts.all(JSON.stringify([...ids])) as { id: string }[]).map(({ id }) => id);
  }

  /** Rewrites it. Without transcripts there is none. */
  save(sessionId: string): void {
    const files = (this.#files.all(sessionId) as FactsRow[])
      .map((row) => ({ ...row, facts: row.facts === null ? null : (JSON.parse(row.facts) as Facts) }))
      .filter(isConversation);
    this.#remove.run(sessionId);
    // without its own transcript, only what its subagents wrote is left
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

/** Other line files are next to subagents' transcripts: journals, results, notes. */
export function isConversation({ agentId, facts }: { agentId: string | null; facts: Facts | null }): boolean {
  return agentId === null || facts === null || facts.messages > 0;
}

function min(values: number[]): number | null {
  return values.length > 0 ? Math.min(...values) : null;
}

function max(values: number[]): number | null {
  return values.length > 0 ? Math.max(...values) : null;
}
