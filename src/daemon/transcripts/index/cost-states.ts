import type { Sqlite } from '../../journal/sqlite.ts';
import type { CostState } from '../usage/cost-state.ts';
import { type Fork, forkBase, type RelatedState } from '../usage/fork-base.ts';

interface StateRow extends Omit<CostState, 'models'> {
  fileId: number;
  bornMs: number;
  models: string;
}

const SELECT = `SELECT c.file_id AS fileId, c.session_id AS sessionId, c.start_time AS startTime, c.duration AS duration, c.at AS at,
  c.models AS models, f.born_ms AS bornMs FROM cost_states c JOIN files f ON f.id = c.file_id`;

/** The client's sums for a session, in the order they were written. */
export function costStates(db: Sqlite, sessionId: string): (RelatedState & { fileId: number })[] {
  const rows = db.prepare(`${SELECT} WHERE c.session_id = ? ORDER BY c.start_time, c.duration, c.id`).all(sessionId);
  return (rows as StateRow[]).map(toState);
}

/** Its parent's sum that a session continued from. undefined: it started at zero. */
export function forkBaseOf(db: Sqlite, fork: Fork): CostState | undefined {
  const rows = db
    .prepare(`${SELECT} WHERE c.start_time = ? AND c.session_id <> ?`)
    .all(fork.first.startTime, fork.first.sessionId);
  return forkBase(fork, (rows as StateRow[]).map(toState));
}

function toState({ models, ...row }: StateRow): RelatedState & { fileId: number } {
  return { ...row, models: JSON.parse(models) };
}
