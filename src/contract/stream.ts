import { z } from 'zod';
import { LiveSession } from './sessions.ts';

export const Summary = z.object({
  needsYouCount: z.number(),
  autonomousCount: z.number(),
  deliveredCount: z.number(),
  totalCostTodayUsd: z.number().nullable(),
  totalTokensToday: z.number().nullable(),
  reset: z.boolean().describe('true: forget every session, session_discovered follows for each live one'),
  sessions: z
    .array(LiveSession)
    .optional()
    .describe('With reset, for who asked for `?picture=whole`: all of them at once, and none follows'),
});
export type Summary = z.infer<typeof Summary>;

export const STREAM_EVENTS = [
  'summary',
  'session_discovered',
  'session_updated',
  'session_completed',
  'session_stopping',
  'approval_request',
  'approval_updated',
  'approval_decided',
  'approval_delivery',
  'rules_changed',
  'access_changed',
  'reviews_changed',
  'agents_changed',
  'heartbeat',
] as const;
export type StreamEvent = (typeof STREAM_EVENTS)[number];
