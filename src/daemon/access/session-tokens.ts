import { createHash, randomBytes } from 'node:crypto';
import type { Sqlite } from '../journal/sqlite.ts';

/**
 * Whose token it is. `agent`: an orchestrated session, which may start, watch and stop its own children and nothing else. `runner`: the
 * process that hosts one, which reports for it and takes its commands.
 */
export type SessionPrincipal =
  | { kind: 'agent'; sessionId: string }
  | { kind: 'runner'; sessionId: string; runnerId: string };

interface Row {
  hash: string;
  kind: SessionPrincipal['kind'];
  session_id: string;
  runner_id: string;
}

/** Tokens of orchestrated sessions. Only hashes are kept, and both kinds end with their session. */
export class SessionTokens {
  readonly #db: Sqlite;
  readonly #byHash = new Map<string, SessionPrincipal>();

  constructor(db: Sqlite) {
    this.#db = db;
    const rows = db.prepare('SELECT hash, kind, session_id, runner_id FROM session_tokens').all() as Row[];
    for (const { hash, ...row } of rows) this.#byHash.set(hash, toPrincipal(row));
  }

  create(principal: SessionPrincipal): string {
    const token = randomBytes(32).toString('base64url');
    const hash = hashOf(token);
    const runnerId = principal.kind === 'runner' ? principal.runnerId : '';
    this.#db
      .prepare('INSERT INTO session_tokens (hash, kind, session_id, runner_id) VALUES (?, ?, ?, ?)')
      .run(hash, principal.kind, principal.sessionId, runnerId);
    this.#byHash.set(hash, principal);
    return token;
  }

  /** Looked up by hash, so lookup time reveals nothing useful to someone guessing tokens. */
  find(token: string): SessionPrincipal | undefined {
    return this.#byHash.get(hashOf(token));
  }

  /** All of a session's. */
  revoke(sessionId: string): void {
    this.#db.prepare('DELETE FROM session_tokens WHERE session_id = ?').run(sessionId);
    for (const [hash, principal] of this.#byHash) if (principal.sessionId === sessionId) this.#byHash.delete(hash);
  }
}

const toPrincipal = ({ kind, session_id: sessionId, runner_id: runnerId }: Omit<Row, 'hash'>): SessionPrincipal =>
  kind === 'agent' ? { kind, sessionId } : { kind, sessionId, runnerId };

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');
