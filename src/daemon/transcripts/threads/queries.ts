import type { Sqlite } from '../../journal/sqlite.ts';
import { exportSession } from '../export/export-session.ts';
import { history, historyDetail } from '../index/history.ts';
import { lineage } from '../index/lineage.ts';
import type { Projects } from '../index/projects.ts';
import { messageJson, messagesJson, readSessionImage } from '../messages/conversation.ts';
import { findInConversation } from '../messages/find-in-conversation.ts';
import { sessionChangesJson } from '../messages/session-changes.ts';
import type { Prices } from '../prices/prices.ts';
import { search } from '../search/search.ts';
import { activity, stats, today } from '../stats/stats.ts';
import { checkCosts } from '../usage/check-costs.ts';
import type { RecentAnswers } from './recent-answers.ts';
import type { ThreadPaths } from './worker-messages.ts';

/** What queries work on, in the reader's thread. `db` is history.db; the reader can't write to it. */
export interface ReaderContext {
  db: Sqlite;
  prices: Prices;
  projects: Projects;
  recent: RecentAnswers;
  paths: ThreadPaths;
}

/** One answer, by name: `transcripts.query(name, args)`. Input and output are copied between threads. */
export const QUERIES = {
  sessionFiles,
  messagesJson,
  messageJson,
  readSessionImage,
  findInConversation,
  sessionChangesJson,
  search,
  history,
  historyDetail,
  stats,
  activity,
  today,
  checkCosts,
  lineage,
};

/** Long answers, in chunks: `transcripts.stream(name, args)`. The next chunk is made when the last was taken. */
export const STREAMS = { exportSession };

/** A session's transcripts: its own first, then its subagents'. */
function sessionFiles({ db }: ReaderContext, sessionId: string): { path: string; agentId: string | null }[] {
  return db
    .prepare(
      'SELECT path, agent_id AS agentId FROM files WHERE session_id = ? ORDER BY agent_id IS NOT NULL, size DESC, path',
    )
    .all(sessionId) as { path: string; agentId: string | null }[];
}
