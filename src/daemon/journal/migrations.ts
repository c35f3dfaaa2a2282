import { DomainError } from '../errors.ts';
import { repairSurrogates } from './repair-surrogates.ts';
import { inTransaction, type Sqlite } from './sqlite.ts';

/** Append only: a released step never changes. The last step's index is the file's `user_version`. */
const STEPS: (string | ((db: Sqlite) => void))[] = [
  `CREATE TABLE events (
     seq INTEGER PRIMARY KEY,
     at INTEGER NOT NULL,
     session_id TEXT NOT NULL,
     source TEXT NOT NULL,
     name TEXT NOT NULL,
     body BLOB NOT NULL
   );
   CREATE INDEX events_by_session ON events (session_id, seq);
   CREATE TABLE snapshots (seq INTEGER PRIMARY KEY, model INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE devices (
     id TEXT PRIMARY KEY,
     name TEXT NOT NULL,
     role TEXT NOT NULL,
     token_hash BLOB NOT NULL UNIQUE,
     created_at INTEGER NOT NULL,
     last_seen_at INTEGER,
     revoked_at INTEGER
   );
   CREATE TABLE unknown_events (name TEXT PRIMARY KEY, count INTEGER NOT NULL, last_seen_at INTEGER NOT NULL);`,
  `CREATE TABLE approvals (
     id TEXT PRIMARY KEY,
     correlation_id TEXT NOT NULL UNIQUE,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX approvals_by_status ON approvals (status, created_at);
   CREATE INDEX events_of_control ON events (seq) WHERE source IN ('operator', 'control');`,
  `CREATE TABLE rules (id TEXT PRIMARY KEY, body TEXT NOT NULL);
   CREATE TABLE rule_versions (
     rule_id TEXT NOT NULL,
     version INTEGER NOT NULL,
     action TEXT NOT NULL,
     at INTEGER NOT NULL,
     by TEXT NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (rule_id, version)
   );
   CREATE TABLE policies (project TEXT PRIMARY KEY, policy TEXT NOT NULL);
   CREATE TABLE reviews (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     at INTEGER NOT NULL,
     tool_name TEXT NOT NULL,
     shape TEXT NOT NULL,
     project TEXT NOT NULL,
     status TEXT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX reviews_by_status ON reviews (status, tool_name, shape);`,
  `CREATE TABLE prompts (
     place INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX prompts_by_session ON prompts (session_id, place);
   CREATE INDEX prompts_queued ON prompts (place) WHERE status = 'queued';`,
  // Who did it, for the audit log; the indexes cover all of its queries.
  `ALTER TABLE events ADD COLUMN who TEXT GENERATED ALWAYS AS (
     CASE WHEN source NOT IN ('operator', 'control') THEN NULL
     WHEN json_extract(CAST(body AS TEXT), '$.approval') IS NOT NULL THEN coalesce(
       json_extract(CAST(body AS TEXT), '$.approval.decision.by'),
       iif(json_extract(CAST(body AS TEXT), '$.approval.status') = 'answered_in_terminal', 'terminal', 'control'))
     ELSE coalesce(
       json_extract(CAST(body AS TEXT), '$.stop.requestedBy'), nullif(json_extract(CAST(body AS TEXT), '$.by'), ''), source)
     END) VIRTUAL;
   DROP INDEX events_of_control;
   CREATE INDEX audit ON events (seq, at, name, session_id, who, source) WHERE source IN ('operator', 'control');
   CREATE INDEX audit_by_session ON events (session_id, seq, at, name, who, source) WHERE source IN ('operator', 'control');
   CREATE INDEX audit_by_who ON events (who, seq, at, name, session_id, source) WHERE source IN ('operator', 'control');`,
  'CREATE TABLE left_sessions (session_id TEXT PRIMARY KEY, model INTEGER NOT NULL, body TEXT NOT NULL);',
  // The asker used to be the first part of the correlation id: `hook/…` or `api/…`.
  `CREATE TABLE approvals_by_origin (
     id TEXT PRIMARY KEY,
     origin TEXT NOT NULL,
     correlation_id TEXT NOT NULL,
     session_id TEXT NOT NULL,
     status TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     body TEXT NOT NULL,
     UNIQUE (origin, correlation_id)
   );
   INSERT INTO approvals_by_origin
     SELECT id, origin, own_id, session_id, status, created_at, json_set(body, '$.origin', origin, '$.correlationId', own_id)
     FROM (SELECT *, iif(correlation_id LIKE 'hook/%', 'hook', 'api') AS origin,
           substr(correlation_id, instr(correlation_id, '/') + 1) AS own_id FROM approvals ORDER BY rowid);
   DROP TABLE approvals;
   ALTER TABLE approvals_by_origin RENAME TO approvals;
   CREATE INDEX approvals_by_status ON approvals (status, created_at);`,
  // Device tokens were cookies as well, which every server on this machine could read, so those devices pair again.
  `ALTER TABLE devices ADD COLUMN public_key BLOB;
   ALTER TABLE devices ADD COLUMN port INTEGER;
   UPDATE devices SET revoked_at = created_at WHERE id <> 'local' AND revoked_at IS NULL;`,
  'CREATE TABLE upkeep (name TEXT PRIMARY KEY, value INTEGER NOT NULL);',
  // The operator may also return an approval undecided. The column is virtual, so no row is rewritten.
  `DROP INDEX audit;
   DROP INDEX audit_by_session;
   DROP INDEX audit_by_who;
   ALTER TABLE events DROP COLUMN who;
   ALTER TABLE events ADD COLUMN who TEXT GENERATED ALWAYS AS (
     CASE WHEN source NOT IN ('operator', 'control') THEN NULL
     WHEN json_extract(CAST(body AS TEXT), '$.approval') IS NOT NULL THEN coalesce(
       json_extract(CAST(body AS TEXT), '$.approval.decision.by'),
       json_extract(CAST(body AS TEXT), '$.approval.closedBy'),
       iif(json_extract(CAST(body AS TEXT), '$.approval.status') = 'answered_in_terminal', 'terminal', 'control'))
     ELSE coalesce(
       json_extract(CAST(body AS TEXT), '$.stop.requestedBy'), nullif(json_extract(CAST(body AS TEXT), '$.by'), ''), source)
     END) VIRTUAL;
   CREATE INDEX audit ON events (seq, at, name, session_id, who, source) WHERE source IN ('operator', 'control');
   CREATE INDEX audit_by_session ON events (session_id, seq, at, name, who, source) WHERE source IN ('operator', 'control');
   CREATE INDEX audit_by_who ON events (who, seq, at, name, session_id, source) WHERE source IN ('operator', 'control');`,
  // Who reviewed a call, when, with what notes, and the rule created from it.
  `ALTER TABLE reviews ADD COLUMN rule_id TEXT;
   ALTER TABLE reviews ADD COLUMN decided_by TEXT;
   ALTER TABLE reviews ADD COLUMN decided_at INTEGER;
   ALTER TABLE reviews ADD COLUMN notes TEXT;
   CREATE INDEX reviews_by_session ON reviews (session_id, at, status);
   CREATE INDEX approvals_by_session ON approvals (session_id, created_at);`,
  // For earlier decisions, delivery is unknown.
  `ALTER TABLE approvals ADD COLUMN delivery TEXT;
   CREATE INDEX approvals_undelivered ON approvals (created_at) WHERE delivery = 'pending';
   CREATE TABLE askers (
     key TEXT PRIMARY KEY,
     approval_id TEXT NOT NULL,
     tool_use_id TEXT,
     pid INTEGER,
     returns INTEGER NOT NULL,
     at INTEGER NOT NULL
   );
   CREATE INDEX askers_by_approval ON askers (approval_id);`,
  `CREATE TABLE orchestrated (
     session_id TEXT PRIMARY KEY,
     project TEXT NOT NULL,
     name TEXT NOT NULL,
     lifecycle TEXT NOT NULL,
     parent_id TEXT,
     fan_out TEXT,
     created_at INTEGER NOT NULL,
     spec TEXT NOT NULL,
     body TEXT NOT NULL,
     result TEXT,
     UNIQUE (project, name)
   );
   CREATE INDEX orchestrated_by_lifecycle ON orchestrated (lifecycle, created_at);
   CREATE INDEX orchestrated_by_parent ON orchestrated (parent_id, created_at);
   CREATE TABLE runners (
     id TEXT PRIMARY KEY,
     session_id TEXT NOT NULL,
     acked INTEGER NOT NULL,
     started_at INTEGER NOT NULL,
     ended_at INTEGER
   );
   CREATE INDEX runners_by_session ON runners (session_id, started_at);
   CREATE INDEX runners_live ON runners (started_at) WHERE ended_at IS NULL;
   CREATE TABLE session_tokens (
     hash TEXT PRIMARY KEY,
     kind TEXT NOT NULL,
     session_id TEXT NOT NULL,
     runner_id TEXT NOT NULL
   );
   CREATE INDEX session_tokens_by_session ON session_tokens (session_id);`,
  `CREATE TABLE worktrees (
     place INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     project TEXT NOT NULL,
     name TEXT NOT NULL,
     state TEXT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX worktrees_by_name ON worktrees (project, name, state);
   CREATE INDEX worktrees_by_state ON worktrees (state);
   CREATE TABLE worktree_snapshots (id TEXT PRIMARY KEY, at INTEGER NOT NULL, body TEXT NOT NULL);
   CREATE TABLE worktree_consents (project TEXT NOT NULL, hash TEXT NOT NULL, PRIMARY KEY (project, hash));`,
  // who is notified of what, and what became of each message
  `CREATE TABLE channels (id TEXT PRIMARY KEY, device_id TEXT, body TEXT NOT NULL, created_at INTEGER NOT NULL);
   CREATE TABLE notices (
     id TEXT PRIMARY KEY,
     about TEXT NOT NULL UNIQUE,
     body TEXT NOT NULL,
     raised_at INTEGER NOT NULL,
     settled_at INTEGER,
     outcome TEXT
   );
   CREATE INDEX notices_open ON notices (raised_at) WHERE settled_at IS NULL;
   CREATE TABLE notifications (
     id TEXT PRIMARY KEY,
     notice_id TEXT,
     channel_id TEXT NOT NULL,
     part TEXT NOT NULL,
     state TEXT NOT NULL,
     due_at INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     body TEXT NOT NULL,
     UNIQUE (notice_id, channel_id, part)
   );
   CREATE INDEX notifications_due ON notifications (due_at) WHERE state = 'waiting';
   CREATE INDEX notifications_by_channel ON notifications (channel_id, created_at);`,
  `CREATE TABLE diff_comments (
     place INTEGER PRIMARY KEY,
     id TEXT NOT NULL UNIQUE,
     subject TEXT NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX diff_comments_by_subject ON diff_comments (subject, place);`,
  `CREATE TABLE fan_outs (
     id TEXT PRIMARY KEY,
     project TEXT NOT NULL,
     name TEXT NOT NULL,
     created_at INTEGER NOT NULL,
     body TEXT NOT NULL
   );
   CREATE INDEX fan_outs_by_name ON fan_outs (name, created_at);`,
  // Operators could manage devices and settings until admins could.
  `ALTER TABLE devices ADD COLUMN projects TEXT NOT NULL DEFAULT '[]';
   UPDATE devices SET role = 'admin' WHERE role = 'operator';`,
  `ALTER TABLE devices ADD COLUMN is_remote INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE passkeys (
     id TEXT PRIMARY KEY,
     device_id TEXT NOT NULL,
     name TEXT NOT NULL,
     rp_id TEXT NOT NULL,
     public_key BLOB NOT NULL,
     counter INTEGER NOT NULL,
     transports TEXT NOT NULL,
     is_synced INTEGER NOT NULL,
     created_at INTEGER NOT NULL,
     last_used_at INTEGER
   );`,
  repairSurrogates,
  // A snapshot's sessions, in parts: as one text, a thousand sessions took 13 MB several times over, and hooks waited while it was written.
  `CREATE TABLE snapshot_parts (
     seq INTEGER NOT NULL,
     part INTEGER NOT NULL,
     body TEXT NOT NULL,
     PRIMARY KEY (seq, part)
   );`,
];

export class JournalTooNew extends DomainError {
  constructor(path: string, found: number) {
    super(
      'journal.too_new',
      500,
      `${path} was written by a newer Ground Control (format ${found}; this version supports ${STEPS.length}). ` +
        'Update Ground Control, or start with another --data-dir.',
    );
  }
}

/** `to`: an earlier version's format, for tests of later ones. */
export function migrate(db: Sqlite, path: string, { to = STEPS.length } = {}): void {
  const { user_version: found } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (found > STEPS.length) throw new JournalTooNew(path, found);
  for (let step = found; step < to; step++) {
    const work = STEPS[step]!;
    inTransaction(db, () => {
      if (typeof work === 'string') db.exec(work);
      else work(db);
      db.exec(`PRAGMA user_version = ${step + 1}`);
    });
  }
}
