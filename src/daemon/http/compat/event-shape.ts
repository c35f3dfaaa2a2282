import { z } from 'zod';
import type { Approval } from '../../../contract/approvals.ts';
import type { Stop } from '../../../contract/sessions.ts';
import { ADDED_FIELDS, isPosted, postedTypeOf } from '../../drivers/terminal/intake/posted-event.ts';
import type { JournalEvent } from '../../journal/journal.ts';
import { iso } from './iso.ts';

export const CompatEvent = z.looseObject({
  id: z.number(),
  session_id: z.string(),
  event_type: z.string(),
  timestamp: z.string(),
});
export type CompatEvent = z.infer<typeof CompatEvent>;

type Common = Pick<CompatEvent, 'id' | 'session_id' | 'timestamp'>;

const CONTROL_TYPES: Record<string, string> = {
  'session.stopping': 'session_stopping',
  'session.stopped': 'session_stop',
};

/** A journal event in the documents' format. undefined: they have none for it. Unknown hooks keep their names. */
export function toCompatEvent(event: JournalEvent): CompatEvent | undefined {
  const { seq, at, sessionId, source, name, payload } = event;
  const common = { id: seq, session_id: sessionId, timestamp: iso(at) };
  if (isPosted(event)) return asPosted(common, payload);
  // A hook may use any name.
  const isOurs = source !== 'hook';
  if (isOurs && (name === 'rule.applied' || name === 'policy.applied')) return { ...common, ...decidedByRule(payload) };
  if (isOurs && name === 'approval.decided') return withDecision(common, payload.approval as Approval);
  const type = isOurs ? CONTROL_TYPES[name] : postedTypeOf(name);
  if (type === undefined) return undefined;
  const { tool_name, tool_input, tool_use_id, tool_response, error, prompt, last_assistant_message, reason } = payload;
  const stop = payload.stop as Stop | undefined;
  return dropUndefined({
    ...common,
    event_type: type,
    tool_name,
    tool_input,
    tool_use_id,
    tool_output: tool_response,
    error,
    role: prompt === undefined ? (last_assistant_message === undefined ? undefined : 'assistant') : 'user',
    content: prompt ?? last_assistant_message,
    reason: stop?.reason ?? reason,
    exit_code: stop?.receipt?.exitCode,
  });
}

function asPosted(common: Common, payload: Record<string, unknown>): CompatEvent {
  const posted = Object.fromEntries(Object.entries(payload).filter(([key]) => !ADDED_FIELDS.has(key)));
  const role = { user: 'user', message: 'assistant' }[String(payload.event_type)];
  const { timestamp } = payload;
  return {
    ...(role ? { role } : {}),
    ...posted,
    // An agent may post anything under these names.
    ...common,
    event_type: String(payload.event_type),
    ...(typeof timestamp === 'string' ? { timestamp } : {}),
  };
}

function decidedByRule({ decision, ruleId, toolName, toolInput, toolUseId, why }: Record<string, unknown>) {
  return {
    event_type: 'pre_tool',
    tool_name: toolName,
    tool_input: toolInput,
    tool_use_id: toolUseId ?? null,
    status: decision === 'allow' ? 'approved' : 'denied',
    rule_id: ruleId ?? null,
    reason: why,
  };
}

/** A program that asks sends no event before its call. */
function withDecision(common: Common, approval: Approval): CompatEvent | undefined {
  const { id, origin, toolName, toolInput, toolUseId, decision } = approval;
  if (origin !== 'api' || !decision) return undefined;
  const { ruleId, message, reason } = decision;
  const why = message ?? reason;
  return {
    ...common,
    ...decidedByRule({ decision: decision.decision, ruleId, toolName, toolInput, toolUseId, why }),
    request_id: id,
  };
}

function dropUndefined(record: Record<string, unknown>): CompatEvent {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as CompatEvent;
}
