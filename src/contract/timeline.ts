import { z } from 'zod';
import { GROUPS } from './groups.ts';

/** A period in which one actor was in one state. */
export const TimelineSpan = z.object({
  group: z.enum(GROUPS),
  state: z.string(),
  label: z.string(),
  callId: z.string().nullable().describe('The tool call it was about, if it was about one'),
  from: z.number(),
  to: z.number().nullable().describe('null: still open'),
});
export type TimelineSpan = z.infer<typeof TimelineSpan>;

export const TimelineLane = z.object({
  actorId: z.string().describe('`main`, or the id of a subagent'),
  type: z.string(),
  description: z.string().nullable().describe("The subagent's task"),
  spans: z.array(TimelineSpan),
});
export type TimelineLane = z.infer<typeof TimelineLane>;

export const ToolTime = z.object({
  name: z.string(),
  calls: z.number(),
  failed: z.number(),
  totalMs: z.number().describe('How long they ran, without waiting for an answer'),
  longestMs: z.number(),
});
export type ToolTime = z.infer<typeof ToolTime>;

export const Timeline = z.object({
  lanes: z.array(TimelineLane),
  tools: z.array(ToolTime).describe('The slowest in total first. Calls without a known duration count as 0 ms'),
  from: z.number().nullable().describe('When its first event happened. null: no events'),
  to: z.number().nullable().describe('When its last event happened'),
  isComplete: z.boolean().describe('false: there are earlier events beyond `limit`'),
});
export type Timeline = z.infer<typeof Timeline>;
