import { rmSync } from 'node:fs';
import { openInMemory, openSqlite, type Sqlite } from '../../journal/sqlite.ts';

/** Raise this when a table changes: the file is a cache of the transcripts, so other versions are discarded and rebuilt. */
const SCHEMA_VERSION = 6;

/** Raise this when lines are parsed differently: files read by an older parser are read again. */
export const PARSER_VERSION = 6;

const USAGE_INDEXES = `
  CREATE INDEX usage_by_file ON usage (file_id);
  CREATE INDEX usage_by_session ON usage (session_id);
  CREATE INDEX usage_by_time ON usage (at);
`;

/**
 * files   one row per transcript. `totals_offset` and `text_offset` are the bytes whose usage, and whose text and facts, are in
 *         the other tables. `edges` shows whether those bytes are still the same. `usage` is everything its messages
 *         used (file-usage.ts), those too that are counted in another file: `shared` names these (shared-messages.ts), and is null
 *         where there are none. `first_at` and `last_at` are the times of its first and last message with a usage.
 * usage   what one model used in five minutes (from `at` on), by transcript and branch. Each message is counted in one file only, however
 *         often it was copied (resumed and forked sessions), so sums over any rows are right. Costs are null without a price.
 *         `kind` 1: requests that no message reports (other-requests.ts).
 * cost_states the client's own sums (cost-state.ts), in the order of the file.
 * pieces  one row per searchable text: a prompt, an answer, a tool's input. Where its line begins in the file, and which
 *         block of the line it is. Copies of a line in other files have the same uuid. `length` is that of the text.
 * origins where pieces come from: a row for each model and branch in a transcript. Of a prompt it is the model that answered. A piece that
 *         has copies is counted where it is no fork, and in the file that was made first.
 * text    the words of the pieces (search/index-text.ts), and in `kinds` the marks by which they are told apart (search/piece-marks.ts), by
 *         the same id. The text itself stays in the transcript.
 * vocabulary the words that are in `text`.
 * days    on which any piece was written.
 * touched files that a session read or changed, by transcript.
 * sessions what a list shows, made from the facts of the session's transcripts.
 */
const TABLES = `
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE files (
    id INTEGER PRIMARY KEY,
    path TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL,
    agent_id TEXT,
    parser INTEGER NOT NULL,
    size INTEGER NOT NULL,
    mtime_ms REAL NOT NULL,
    inode INTEGER NOT NULL,
    born_ms REAL NOT NULL,
    edges TEXT NOT NULL,
    totals_offset INTEGER NOT NULL,
    text_offset INTEGER NOT NULL,
    problems TEXT NOT NULL,
    facts TEXT,
    usage TEXT NOT NULL,
    first_at INTEGER,
    last_at INTEGER,
    shared TEXT
  );
  CREATE INDEX files_by_session ON files (session_id);
  CREATE TABLE usage (
    file_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT,
    at INTEGER NOT NULL,
    model TEXT NOT NULL,
    branch TEXT,
    messages INTEGER NOT NULL,
    input INTEGER NOT NULL,
    output INTEGER NOT NULL,
    cache_read INTEGER NOT NULL,
    cache_write_5m INTEGER NOT NULL,
    cache_write_1h INTEGER NOT NULL,
    total_usd REAL,
    input_usd REAL,
    output_usd REAL,
    cache_read_usd REAL,
    cache_write_usd REAL,
    web_searches INTEGER NOT NULL DEFAULT 0,
    kind INTEGER NOT NULL DEFAULT 0
  );
  ${USAGE_INDEXES}
  CREATE INDEX usage_of_others ON usage (session_id) WHERE kind = 1;
  CREATE TABLE cost_states (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    start_time INTEGER NOT NULL,
    duration INTEGER NOT NULL,
    at INTEGER,
    models TEXT NOT NULL
  );
  CREATE INDEX cost_states_by_file ON cost_states (file_id);
  CREATE INDEX cost_states_by_session ON cost_states (session_id);
  CREATE INDEX cost_states_by_start ON cost_states (start_time);
  CREATE TABLE pieces (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    start INTEGER NOT NULL,
    block INTEGER NOT NULL,
    uuid TEXT,
    kind TEXT NOT NULL,
    tool TEXT,
    at INTEGER,
    origin INTEGER NOT NULL,
    length INTEGER NOT NULL
  );
  CREATE INDEX pieces_by_file ON pieces (file_id, start);
  CREATE INDEX pieces_of_prompts ON pieces (at, uuid, origin) WHERE kind = 'prompt';
  CREATE INDEX pieces_of_tools ON pieces (tool, at, uuid, block, origin) WHERE kind = 'tool_input';
  CREATE TABLE origins (
    id INTEGER PRIMARY KEY,
    file_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    agent_id TEXT,
    born_ms REAL NOT NULL,
    model TEXT,
    branch TEXT,
    is_forked INTEGER NOT NULL
  );
  CREATE INDEX origins_by_file ON origins (file_id);
  CREATE VIRTUAL TABLE text USING fts5 (body, kinds, content = '', contentless_delete = 1, tokenize = 'unicode61 remove_diacritics 2');
  -- words are gathered in memory before they are written: half the work of many small pieces that are merged later
  INSERT INTO text (text, rank) VALUES ('hashsize', 16777216);
  CREATE VIRTUAL TABLE vocabulary USING fts5vocab (text, row);
  CREATE TABLE days (day INTEGER PRIMARY KEY);
  CREATE TABLE touched (
    file_id INTEGER NOT NULL,
    session_id TEXT NOT NULL,
    path TEXT NOT NULL,
    edits INTEGER NOT NULL,
    reads INTEGER NOT NULL,
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    PRIMARY KEY (file_id, path)
  ) WITHOUT ROWID;
  CREATE INDEX touched_by_session ON touched (session_id);
  CREATE TABLE sessions (
    id TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    title TEXT NOT NULL,
    cwd TEXT,
    branch TEXT,
    model TEXT,
    started_at INTEGER,
    last_at INTEGER NOT NULL,
    first_prompt TEXT,
    last_prompt TEXT,
    prompts INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    tool_calls INTEGER NOT NULL,
    lines_added INTEGER NOT NULL,
    lines_removed INTEGER NOT NULL,
    sub_agents INTEGER NOT NULL
  ) WITHOUT ROWID;
  CREATE INDEX sessions_by_time ON sessions (last_at);
`;

/** Thousands of rows are written in half the time if the indexes are built afterwards. In a transaction. */
export function dropUsageIndexes(db: Sqlite): { makeAgain(): void } | undefined {
  if (db.prepare('SELECT 1 FROM usage LIMIT 1').get()) return undefined;
  db.exec('DROP INDEX usage_by_file; DROP INDEX usage_by_session; DROP INDEX usage_by_time');
  return { makeAgain: () => db.exec(USAGE_INDEXES) };
}

/** For the one writing thread. Whatever is wrong with the file, a new one replaces it: the transcripts have everything. */
export function openHistory(path: string): Sqlite {
  try {
    return openCurrent(path);
  } catch (error) {
    if (!isBroken(error)) throw error;
    throwAway(path);
    return openCurrent(path);
  }
}

/** For a one-time reading that leaves nothing behind. */
export function openPassingHistory(): Sqlite {
  const db = openInMemory();
  db.exec(TABLES);
  return db;
}

/** For threads that only read. The file exists: they start after the writer. */
export function openHistoryToRead(path: string): Sqlite {
  const db = openSqlite(path);
  db.exec('PRAGMA query_only = ON');
  return db;
}

/** What a power cut loses is read from the transcripts again. */
export const SYNCED =
  'PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 1000';
/** A power cut may corrupt the file. What is written several times in a row goes from the log into the file once. */
export const UNSYNCED = 'PRAGMA synchronous = OFF; PRAGMA journal_size_limit = -1; PRAGMA wal_autocheckpoint = 8192';

class OtherVersion extends Error {}

function openCurrent(path: string): Sqlite {
  const db = openSqlite(path);
  try {
    db.exec(`${SYNCED}; PRAGMA cache_size = -16384`);
    const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
    if (found === 0) db.exec(`BEGIN; ${TABLES}; PRAGMA user_version = ${SCHEMA_VERSION}; COMMIT`);
    else if (found !== SCHEMA_VERSION) throw new OtherVersion();
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Only once nobody writes to it anymore. */
export function throwAway(path: string): void {
  for (const suffix of ['', '-wal', '-shm', '-unsynced']) rmSync(`${path}${suffix}`, { force: true });
}

export function isBroken(error: unknown): boolean {
  if (error instanceof OtherVersion) return true;
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  return /SQLITE_(NOTADB|CORRUPT)|not a database|malformed|already exists/.test(`${code} ${message}`);
}
