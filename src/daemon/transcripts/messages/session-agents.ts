import { basename, dirname } from 'node:path';
import { filesBelow, filesIn } from '../index/find-transcripts.ts';
import { beginningOf, sessionInside } from '../lines/first-lines.ts';
import type { ReaderContext } from '../threads/queries.ts';
import { agentsFolder } from './find-transcript.ts';

const TRANSCRIPT = /^agent-([\w-]{1,200})\.jsonl$/;

type Found = [agentId: string, path: string];

/** All subagents with a transcript in this session, whether or not the index knows them. In order of their start: parents come first. */
export function agentsOf({ db }: Pick<ReaderContext, 'db'>, session: { sessionId: string; path: string }): string[] {
  const { sessionId, path } = session;
  const sessionOf = db.prepare('SELECT session_id AS sessionId FROM files WHERE path = ?');
  const isOurs = (file: string) => {
    const known = sessionOf.get(file) as { sessionId: string } | undefined;
    return (known?.sessionId ?? sessionInside(file)) === sessionId;
  };
  const below = transcriptsOf(filesBelow(agentsFolder(path, sessionId)));
  // older versions put them next to the session's, and only their lines say whose they are
  const beside = transcriptsOf(filesIn(dirname(path))).filter(([, file]) => isOurs(file));
  const began = new Map<string, number>();
  for (const [agentId, file] of [...below, ...beside, ...indexed(db, sessionId)])
    if (!began.has(agentId)) began.set(agentId, beginningOf(file) ?? Number.POSITIVE_INFINITY);
  return [...began.keys()].sort((a, b) => compare(began.get(a)!, began.get(b)!) || compare(a, b));
}

function transcriptsOf(files: string[]): Found[] {
  return files.flatMap((file) => {
    const agentId = TRANSCRIPT.exec(basename(file))?.[1];
    return agentId ? [[agentId, file] satisfies Found] : [];
  });
}

/** In other folders, or under other names. Notes and journals next to them aren't conversations. */
function indexed(db: ReaderContext['db'], sessionId: string): Found[] {
  const rows = db
    .prepare(
      `SELECT agent_id AS agentId, path FROM files
       WHERE session_id = ? AND agent_id IS NOT NULL AND json_extract(facts, '$.messages') > 0`,
    )
    .all(sessionId) as { agentId: string; path: string }[];
  return rows.map(({ agentId, path }) => [agentId, path]);
}

function compare<T extends number | string>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
