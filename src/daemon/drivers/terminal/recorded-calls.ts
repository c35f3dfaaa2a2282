import { type EventRow, type Journal, toEvent } from '../../journal/journal.ts';
import type { RecordedCall } from '../../rules/rehearse.ts';
import { toAgentEvents } from '../to-agent-events.ts';

/** The latest calls agents started, newest first. Goes back at most `within` events. */
export function recordedCalls(journal: Journal, { within, limit }: { within: number; limit: number }): RecordedCall[] {
  const sql = `SELECT * FROM events WHERE seq > ? AND source = 'hook' AND name = 'PreToolUse' ORDER BY seq DESC LIMIT ?`;
  const rows = journal.db.prepare(sql).all(journal.committedSeq - within, limit) as EventRow[];
  return rows.map(toEvent).flatMap((event) => {
    const started = toAgentEvents(event).find(({ type }) => type === 'tool.started');
    if (started?.type !== 'tool.started') return [];
    const { seq, at, sessionId, payload } = event;
    // A subagent's folder isn't its session's, so it says nothing about the session.
    const cwd = typeof payload.cwd === 'string' ? payload.cwd : undefined;
    return [{ seq, at, sessionId, call: started.call, cwd }];
  });
}
