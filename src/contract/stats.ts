import { z } from 'zod';
import { Cost, Tokens } from './usage.ts';

export const STATS_BY = ['day', 'week', 'month', 'project', 'model', 'branch', 'tool'] as const;
export type StatsBy = (typeof STATS_BY)[number];

export const StatsRow = z.object({
  key: z.string().describe('2026-11-16, 2026-W47, 2026-11, a project path, a model, a branch, a tool'),
  label: z.string(),
  sessions: z.number(),
  prompts: z.number(),
  messages: z.number().describe('Model responses, each counted once'),
  tokens: Tokens,
  cost: Cost.nullable().describe('null: no price is known'),
  other: z
    .object({ tokens: Tokens, cost: Cost.nullable() })
    .nullable()
    .describe('The part no message reports: compaction, web search, other requests. null: none'),
  cacheHitRate: z.number().nullable().describe('Cache hit rate, 0 to 1. null: no input'),
  toolCalls: z.number(),
  approvals: z.number(),
  approvalWaitMs: z
    .object({ median: z.number(), p90: z.number(), total: z.number() })
    .nullable()
    .describe('How long approvals waited for the operator. null: none did'),
});
export type StatsRow = z.infer<typeof StatsRow>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, 'write a day as 2026-11-16');

export const StatsQuery = z.object({
  by: z.enum(STATS_BY).default('day'),
  after: day.optional().describe('The first day'),
  before: day.optional().describe('The last day'),
  project: z.string().max(4096).optional().describe('Its name or path'),
  model: z.string().max(200).optional(),
  timeZone: z
    .string()
    .max(100)
    .optional()
    .describe("Time zone for day boundaries: Europe/Berlin. Default: the machine's"),
});
export type StatsQuery = z.infer<typeof StatsQuery>;

export const Stats = z.object({
  by: z.enum(STATS_BY),
  timeZone: z.string(),
  rows: z.array(StatsRow).describe('Periods in order, everything else by cost'),
  total: StatsRow,
  complete: z.boolean().describe("false: some transcripts haven't been read yet"),
});
export type Stats = z.infer<typeof Stats>;

export const Activity = z.object({
  timeZone: z.string(),
  hours: z
    .array(z.object({ day: z.string(), hour: z.number().int(), messages: z.number(), tokens: z.number() }))
    .describe('Hours with activity'),
});
export type Activity = z.infer<typeof Activity>;
