import type { ReaderContext } from '../threads/queries.ts';
import type { CostState } from '../usage/cost-state.ts';
import { unpackUsage } from '../usage/file-usage.ts';
import type { SharedMessages } from '../usage/shared-messages.ts';
import { costStates, forkBaseOf } from './cost-states.ts';

/** What a session has from another. */
export interface Lineage {
  /** Its messages that are counted in other sessions. */
  inherited: string[];
  /** The session most of them are counted in. */
  from: string | null;
  /** The client's sum it continued from. */
  base: CostState | null;
}

export interface LineageArgs {
  sessionId: string;
  /** How far the caller has read each of its transcripts. */
  readTo: Record<string, number>;
}

interface SharingFile {
  path: string;
  agentId: string | null;
  bornMs: number;
  offset: number;
  usage: string;
  shared: string | null;
}

/** null: the index hasn't read that far yet. */
export function lineage({ db }: ReaderContext, { sessionId, readTo }: LineageArgs): Lineage | null {
  const files = db
    .prepare(
      `SELECT path, agent_id AS agentId, born_ms AS bornMs, totals_offset AS offset, usage, shared FROM files
       WHERE session_id = ?`,
    )
    .all(sessionId) as SharingFile[];
  const offsets = new Map(files.map(({ path, offset }) => [path, offset]));
  for (const [path, position] of Object.entries(readTo)) if ((offsets.get(path) ?? -1) < position) return null;
  const { inherited, from } = inheritedMessages(
    files,
    (id) => (db.prepare('SELECT session_id AS id FROM files WHERE id = ?').get(id) as { id: string } | undefined)?.id,
  );
  const [first] = costStates(db, sessionId);
  const base = first && forkBaseOf(db, { first, bornMs: first.bornMs, parentId: from });
  return { inherited, from, base: base ?? null };
}

/** From all files of one session. `sessionOf`: a file's session. */
export function inheritedMessages(
  files: readonly Pick<SharingFile, 'usage' | 'shared'>[],
  sessionOf: (fileId: number) => string | undefined,
): { inherited: string[]; from: string | null } {
  const shared = files.flatMap((file) => (file.shared ? (JSON.parse(file.shared) as SharedMessages) : []));
  if (shared.length === 0) return { inherited: [], from: null };
  const elsewhere = new Set(shared.flatMap(([, keys]) => keys));
  // a session in two folders shares with itself
  for (const file of files) {
    const others = new Set(file.shared ? (JSON.parse(file.shared) as SharedMessages).flatMap(([, keys]) => keys) : []);
    for (const key of unpackUsage(file.usage).keys()) if (!others.has(key)) elsewhere.delete(key);
  }
  const counts = new Map<string, number>();
  for (const [fileId, keys] of shared) {
    const id = sessionOf(fileId);
    const here = keys.filter((key) => elsewhere.has(key)).length;
    if (id !== undefined && here > 0) counts.set(id, (counts.get(id) ?? 0) + here);
  }
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return { inherited: [...elsewhere], from: most?.[0] ?? null };
}
