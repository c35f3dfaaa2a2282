import { z } from 'zod';
import type { Approval } from '../../../contract/approvals.ts';
import type { HookPayload } from '../../../contract/hooks.ts';
import { type LiveSession, type Stop, StopReceipt } from '../../../contract/sessions.ts';
import { DomainError } from '../../errors.ts';
import type { JournalEvent } from '../../journal/journal.ts';

/** The shapes of the two-way communication documents: snake_case, ISO times. */
export const SeedSession = z.object({
  session_id: z.string(),
  session_name: z.string(),
  status: z.enum(['running', 'stopping', 'stopped', 'finished']),
  created_at: z.string(),
  last_event_at: z.string(),
  project_dir: z.string().nullable(),
  agent_state: z.object({ group: z.string(), state: z.string(), label: z.string() }),
  stopped_at: z.string().nullable(),
  stop_reason: z.string().nullable(),
  exit_code: z.number().nullable(),
  receipt: StopReceipt.nullable().describe('How it was stopped'),
});
export type SeedSession = z.infer<typeof SeedSession>;

export function toSeedSession(session: LiveSession): SeedSession {
  const { group, state, label } = session.agentState;
  const { stop } = session;
  return {
    session_id: session.id,
    session_name: session.title,
    status: stop?.state ?? (session.status === 'done' ? 'finished' : 'running'),
    created_at: iso(session.startedAt),
    last_event_at: iso(session.lastActivityAt),
    project_dir: session.cwd,
    agent_state: { group, state, label },
    stopped_at: stop?.stoppedAt ? iso(stop.stoppedAt) : null,
    stop_reason: stop?.reason ?? null,
    exit_code: stop?.receipt?.exitCode ?? null,
    receipt: stop?.receipt ?? null,
  };
}

export const SeedEvent = z.looseObject({
  session_id: z.string().min(1).max(256),
  event_type: z.string().min(1).max(256),
  timestamp: z.string().optional(),
  session_name: z.string().optional(),
  project_dir: z.string().optional(),
  tool_name: z.string().optional(),
  tool_input: z.unknown().optional(),
  tool_output: z.unknown().optional(),
  error: z.string().nullish(),
  role: z.string().optional(),
  content: z.unknown().optional(),
  reason: z.string().optional(),
});
export type SeedEvent = z.infer<typeof SeedEvent>;

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

/** A journal event in the documents' words; one that they have no word for keeps its name in snake_case. */
export function toSeedEvent({ seq, at, sessionId, name, payload }: JournalEvent): SeedEvent & { id: number } {
  const { tool_name, tool_input, tool_response, error, prompt, last_assistant_message, reason } = payload;
  const stop = payload.stop as Stop | undefined;
  return dropUndefined({
    id: seq,
    session_id: sessionId,
    event_type: TYPE_OF.get(name) ?? name.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase(),
    timestamp: iso(at),
    tool_name,
    tool_input,
    tool_output: tool_response,
    error,
    role: prompt === undefined ? (last_assistant_message === undefined ? undefined : 'assistant') : 'user',
    content: prompt ?? last_assistant_message,
    reason: stop?.reason ?? reason,
    exit_code: stop?.receipt?.exitCode,
  }) as SeedEvent & { id: number };
}

/** The hook that says the same. What came in stays in the payload. */
export function toHook(event: SeedEvent): HookPayload {
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
    default:
      throw new DomainError(
        'event.unknown_type',
        400,
        `event_type ${JSON.stringify(event.event_type)} is not one of session_start, user, message, pre_tool, post_tool, session_stop.`,
      );
  }
}

/** An approval as the frontend of the documents gets it; without a time-out it waits as long as its dialog. */
export function toSeedApproval({
  id,
  correlationId,
  sessionId,
  toolName,
  toolInput,
  timeoutSeconds,
  createdAt,
}: Approval) {
  return {
    request_id: id,
    correlation_id: correlationId,
    session_id: sessionId,
    tool_name: toolName,
    tool_input: toolInput,
    timeout: timeoutSeconds ?? null,
    created_at: iso(createdAt),
  };
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}

function dropUndefined(record: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
}

const iso = (ms: number) => new Date(ms).toISOString();
