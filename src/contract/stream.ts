import { z } from 'zod';
import { Approval } from './approvals.ts';
import { MessageDelta } from './runners.ts';
import { LiveSession } from './sessions.ts';
import { ShellsChanged } from './shells.ts';

export const Summary = z.object({
  needsYouCount: z.number(),
  autonomousCount: z.number(),
  deliveredCount: z.number(),
  totalCostTodayUsd: z.number().nullable(),
  totalTokensToday: z.number().nullable(),
  reset: z.boolean().describe('true: forget every session; session_discovered follows for each live one'),
  sessions: z
    .array(LiveSession)
    .optional()
    .describe('With reset and `?picture=whole`: all sessions at once, with no session_discovered to follow'),
});
export type Summary = z.infer<typeof Summary>;

const Nothing = z.object({}).describe('Reload what it names');

/** Every stream message and its payload. */
export const STREAM_PAYLOADS = {
  summary: Summary,
  session_discovered: LiveSession,
  session_updated: LiveSession,
  session_stopping: LiveSession,
  session_removed: z.object({ sessionId: z.string() }).describe('It left the board'),
  approval_request: Approval,
  approval_updated: Approval.describe('A decision is held, or was undone'),
  approval_decided: Approval,
  approval_delivery: Approval.describe('Whether the decision reached the asker'),
  rules_changed: Nothing,
  access_changed: Nothing,
  agents_changed: Nothing,
  worktrees_changed: Nothing,
  comments_changed: Nothing,
  queue_changed: Nothing,
  fan_outs_changed: Nothing,
  notify_changed: Nothing,
  reviews_changed: z.object({ pending: z.number() }),
  message_delta: MessageDelta.describe('Text that a hosted session is writing. Not replayed'),
  shells_changed: ShellsChanged.describe('Commands of the built-in agent: read what is new. Not replayed'),
  heartbeat: z.object({}),
} as const;

export type StreamEvent = keyof typeof STREAM_PAYLOADS;

/** What a message of this event carries. */
export type StreamData<E extends StreamEvent> = z.output<(typeof STREAM_PAYLOADS)[E]>;

/** One message: its `event` says what is in `data`. */
export type StreamMessage = { [E in StreamEvent]: { event: E; data: StreamData<E> } }[StreamEvent];

const messages = Object.entries(STREAM_PAYLOADS).map(([event, data]) => z.object({ event: z.literal(event), data }));

/** Every message the stream can carry, discriminated by `event`. */
export const StreamMessage = z.discriminatedUnion('event', messages as [(typeof messages)[number]]);
