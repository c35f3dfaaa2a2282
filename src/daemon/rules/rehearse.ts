import type { RuleDraft, RulesRehearsal } from '../../contract/rules.ts';
import { type EventRow, type Journal, toEvent } from '../journal/journal.ts';
import { clip } from '../sessions/clip.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import type { Ruling } from './ruling.ts';

/** How far back to look for calls: a rule is tried while it is typed. */
const LOOK_BACK = 20_000;

interface Options {
  journal: Journal;
  live: LiveModel;
  ruling: Ruling;
  limit: number;
}

/** What the rule would have said to the calls that were made last. */
export function rehearse(rule: RuleDraft, { journal, live, ruling, limit }: Options): RulesRehearsal {
  const sql = `SELECT * FROM events WHERE seq > ? AND source = 'hook' AND name = 'PreToolUse' ORDER BY seq DESC LIMIT ?`;
  const rows = journal.db.prepare(sql).all(journal.committedSeq - LOOK_BACK, limit) as EventRow[];
  const calls = rows.map(toEvent).map(({ seq, at, sessionId, payload }) => {
    const session = live.get(sessionId);
    const toolName = typeof payload.tool_name === 'string' ? payload.tool_name : '';
    const toolInput = isRecord(payload.tool_input) ? payload.tool_input : {};
    const cwd = typeof payload.cwd === 'string' ? payload.cwd : session?.cwd;
    const { decision, why } = ruling.test({
      toolName,
      toolInput,
      sessionId,
      ...(cwd ? { cwd } : {}),
      ...(session?.root ? { project: session.root } : {}),
      ...(session?.checkout ? { checkout: session.checkout } : {}),
      rules: [{ ...rule, enabled: true }],
    });
    const matches = decision === rule.decision;
    return { seq, at, sessionId, toolName, toolInput: clip(toolInput) as Record<string, unknown>, matches, why };
  });
  calls.sort((a, b) => Number(b.matches) - Number(a.matches) || b.seq - a.seq);
  return { looked: calls.length, matched: calls.filter(({ matches }) => matches).length, calls };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
