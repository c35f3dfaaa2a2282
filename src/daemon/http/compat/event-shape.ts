import { z } from 'zod';
import type { Approval } from '../../../contract/approvals.ts';
import type { HookPayload } from '../../../contract/hooks.ts';
import type { Stop } from '../../../contract/sessions.ts';
import { DomainError } from '../../errors.ts';
import type { JournalEvent } from '../../journal/journal.ts';
import { iso } from './iso.ts';

/** An event in the documents' words. Other fields are kept as they came. */
export const PostedEvent = z.looseObject({
  session_id: z.string().min(1).max(256),
  event_type: z.string().min(1).max(256),
  timestamp: z.string().optional(),
  session_name: z.string().optional(),
  project_dir: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z.unknown().optional(),
  tool_use_id: z.string().optional(),
  tool_output: z.unknown().optional(),
  error: z.string().nullish(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  reason: z.string().optional(),
  exit_code: z.number().optional(),
});
export type PostedEvent = z.infer<typeof PostedEvent>;

export const CompatEvent = z.looseObject({
  id: z.number(),
  session_id: z.string(),
  event_type: z.string(),
  timestamp: z.string(),
});
export type CompatEvent = z.infer<typeof CompatEvent>;

export const PENDING_REVIEW = 'tool_pending_review';
/** The hook that a reported review is journaled as. */
const REVIEW_HOOK = 'ToolPendingReview';

/** What `toHook` adds to what was posted. */
const ADDED = new Set([
  'hook_event_name',
  'cwd',
  'source',
  'session_title',
  'prompt',
  'last_assistant_message',
  'tool_response',
]);

/** The hook that says the same. What was posted stays in the payload. */
export function toHook(event: PostedEvent): HookPayload {
  const common = { ...event, session_id: event.session_id, cwd: event.project_dir };
  switch (event.event_type) {
    case 'session_start':
      return { ...common, hook_event_name: 'SessionStart', source: 'startup', session_title: event.session_name };
    case 'user':
      return { ...common, hook_event_name: 'UserPromptSubmit', prompt: textOf(event.content) };
    case 'message':
      if (event.role === 'user')
        return { ...common, hook_event_name: 'UserPromptSubmit', prompt: textOf(event.content) };
      return { ...common, hook_event_name: 'Message', last_assistant_message: textOf(event.content) };
    case 'pre_tool':
      return { ...common, hook_event_name: 'PreToolUse' };
    case 'post_tool':
      return {
        ...common,
        hook_event_name: event.error ? 'PostToolUseFailure' : 'PostToolUse',
        tool_response: event.tool_output,
      };
    case 'session_stop':
      return { ...common, hook_event_name: 'SessionEnd', reason: event.reason ?? 'other' };
    case PENDING_REVIEW:
      return { ...common, hook_event_name: REVIEW_HOOK };
    default:
      throw new DomainError(
        'event.unknown_type',
        400,
        `event_type ${JSON.stringify(event.event_type)} is not one of session_start, user, message, pre_tool, post_tool, session_stop, ${PENDING_REVIEW}.`,
      );
  }
}

/** Whether it came by `POST /events`. */
export function isPosted({ source, payload }: Pick<JournalEvent, 'source' | 'payload'>): boolean {
  return source === 'hook' && typeof payload.event_type === 'string';
}

type Common = Pick<CompatEvent, 'id' | 'session_id' | 'timestamp'>;

const TYPE_OF = new Map(
  Object.entries({
    SessionStart: 'session_start',
    UserPromptSubmit: 'user',
    Stop: 'message',
    PreToolUse: 'pre_tool',
    PostToolUse: 'post_tool',
    PostToolUseFailure: 'post_tool',
    SessionEnd: 'session_stop',
    'session.stopping': 'session_stopping',
    'session.stopped': 'session_stop',
  }),
);

/** A journal event in the documents' words. Undefined: they have none for it. A hook that they do not know keeps its name. */
export function toCompatEvent(event: JournalEvent): CompatEvent | undefined {
  const { seq, at, sessionId, source, name, payload } = event;
  const common = { id: seq, session_id: sessionId, timestamp: iso(at) };
  if (isPosted(event)) return asPosted(common, payload);
  // a hook may call itself anything
  const isOurs = source !== 'hook';
  if (isOurs && (name === 'rule.applied' || name === 'policy.applied')) return { ...common, ...decidedByRule(payload) };
  if (isOurs && name === 'approval.decided') return withDecision(common, payload.approval as Approval);
  const type = TYPE_OF.get(name) ?? (source === 'hook' ? snakeCase(name) : undefined);
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
  const posted = Object.fromEntries(Object.entries(payload).filter(([key]) => !ADDED.has(key)));
  const role = { user: 'user', message: 'assistant' }[String(payload.event_type)];
  const { timestamp } = payload;
  return {
    ...(role ? { role } : {}),
    ...posted,
    // an agent may post anything under these names
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

/** A program that asks sends no event of its own before its call. */
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

const snakeCase = (name: string) => name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}

function dropUndefined(record: Record<string, unknown>): CompatEvent {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as CompatEvent;
}
