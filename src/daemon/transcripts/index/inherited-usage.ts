import type { Inherited } from '../../../contract/usage.ts';
import type { Sqlite } from '../../journal/sqlite.ts';
import type { Prices } from '../prices/prices.ts';
import { unpackUsage } from '../usage/file-usage.ts';
import { inheritedFrom } from '../usage/inherited.ts';
import { SessionUsage } from '../usage/session-usage.ts';
import { costStates, forkBaseOf } from './cost-states.ts';
import { inheritedMessages } from './lineage.ts';

interface SharingFile {
  sessionId: string;
  agentId: string | null;
  path: string;
  usage: string;
  shared: string | null;
}

/** What sessions were forked with, by session; others are left out. */
export function inheritedUsage(db: Sqlite, prices: Prices, sessionIds: string[]): Map<string, Inherited> {
  const copied = copiedMessages(db, prices, sessionIds);
  const found = new Map<string, Inherited>();
  for (const id of sessionIds) {
    const messages = copied.get(id) ?? null;
    const [first] = costStates(db, id);
    const base = first && forkBaseOf(db, { first, bornMs: first.bornMs, parentId: messages?.from ?? null });
    const inherited = base ? inheritedFrom(base, prices) : messages;
    if (inherited) found.set(id, inherited);
  }
  return found;
}

function copiedMessages(db: Sqlite, prices: Prices, sessionIds: string[]): Map<string, Inherited> {
  const files = db
    .prepare(
      `SELECT session_id AS sessionId, agent_id AS agentId, path, usage, shared FROM files WHERE session_id IN (
         SELECT session_id FROM files WHERE shared IS NOT NULL AND session_id IN (SELECT value FROM json_each(?)))`,
    )
    .all(JSON.stringify(sessionIds)) as SharingFile[];
  const sessionOf = db.prepare('SELECT session_id AS id FROM files WHERE id = ?');
  const found = new Map<string, Inherited>();
  for (const id of new Set(files.map(({ sessionId }) => sessionId))) {
    const own = files.filter(({ sessionId }) => sessionId === id);
    const { inherited, from } = inheritedMessages(
      own,
      (fileId) => (sessionOf.get(fileId) as { id: string } | undefined)?.id,
    );
    const usage = new SessionUsage();
    for (const { path, agentId, usage: packed } of own)
      for (const record of unpackUsage(packed).values()) usage.add(record, path, agentId);
    usage.setInherited(inherited);
    const spent = usage.inherited(prices);
    if (spent) found.set(id, { ...spent, from });
  }
  return found;
}
