import { z } from 'zod';
import type { HookPayload } from '../../../../contract/hooks.ts';
import { DomainError } from '../../../errors.ts';
import type { JournalEvent } from '../../../journal/journal.ts';

/** An event posted by a script, in the format of the two-way communication documents. Other fields are kept as received. */
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

export const PENDING_REVIEW = 'tool_pending_review';
/** The hook a reported review is journaled as. */
const REVIEW_HOOK = 'ToolPendingReview';

/** Fields that `toHook` added to the journaled payload. */
export const ADDED_FIELDS: ReadonlySet<string> = new Set([
  'hook_event_name',
  'cwd',
  'source',
  'session_title',
  'prompt',
  'last_assistant_message',
  'tool_response',
]);

/** The equivalent hook. What was posted stays in the payload. */
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

/** Whether it came through `POST /events`. */
export function isPosted({ source, payload }: Pick<JournalEvent, 'source' | 'payload'>): boolean {
  return source === 'hook' && typeof payload.event_type === 'string';
}

const TYPES: Record<string, string> = {
  SessionStart: 'session_start',
  UserPromptSubmit: 'user',
  Stop: 'message',
  PreToolUse: 'pre_tool',
  PostToolUse: 'post_tool',
  PostToolUseFailure: 'post_tool',
  SessionEnd: 'session_stop',
};

/** The documents' name for a hook. Unknown ones keep their name. */
export function postedTypeOf(hookName: string): string {
  const known = Object.hasOwn(TYPES, hookName) ? TYPES[hookName] : undefined;
  return known ?? hookName.replace(/\B[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('\n');
}
