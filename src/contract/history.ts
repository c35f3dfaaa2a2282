import { z } from 'zod';
import { Cost, Inherited, ModelUsage, Tokens } from './usage.ts';

/** A session on disk, whether or not it ever had hooks. */
export const HistorySession = z.object({
  id: z.string(),
  title: z.string(),
  projectPath: z.string().nullable(),
  projectDisplayName: z.string(),
  cwd: z.string().nullable(),
  gitBranch: z.string().nullable().describe('The last one'),
  models: z.array(z.string()).describe('The most used first'),
  startedAt: z.number().nullable(),
  lastActivityAt: z.number(),
  firstPrompt: z.string().nullable(),
  lastPrompt: z.string().nullable(),
  prompts: z.number(),
  messages: z.number(),
  tokens: Tokens.describe('Everything this session used, including subagents and other requests'),
  cost: Cost.nullable().describe('The same in dollars. null: no price is known'),
  inherited: Inherited.nullable().describe(
    'Usage inherited from the session it was forked from; not part of the totals',
  ),
  subAgents: z.number(),
  toolCalls: z.number(),
  linesAdded: z.number(),
  linesRemoved: z.number(),
  isLive: z.boolean().describe('It is on the board'),
  transcriptPath: z.string(),
  bytes: z.number(),
});
export type HistorySession = z.infer<typeof HistorySession>;

export const HistoryQuery = z.object({
  q: z
    .string()
    .max(1000)
    .default('')
    .describe('Words and filters: project: branch: model: tool: file: after: before: is:running'),
  sort: z.enum(['recent', 'cost', 'tokens']).default('recent'),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const HistoryPage = z.object({
  sessions: z.array(HistorySession),
  total: z.number(),
  isTotalCapped: z
    .boolean()
    .describe('true: a common word matches more sessions than are listed, so only the newest are'),
  nextOffset: z.number().nullable(),
});
export type HistoryPage = z.infer<typeof HistoryPage>;

export const HistorySubAgent = z.object({
  id: z.string(),
  parentId: z.string().nullable(),
  type: z.string(),
  description: z.string().nullable(),
  model: z.string().nullable(),
  startedAt: z.number().nullable(),
  lastActivityAt: z.number().nullable(),
  tokens: Tokens,
  cost: Cost.nullable(),
  toolCalls: z.number(),
});

/** One session with everything known about it. */
export const HistoryDetail = HistorySession.extend({
  usageByModel: z.array(ModelUsage).describe('What its messages used'),
  otherUsage: z
    .array(ModelUsage)
    .describe('Usage from compaction, web search and other requests that no message reports; part of the totals'),
  subAgentList: z.array(HistorySubAgent),
  toolCounts: z.record(z.string(), z.number()),
  files: z
    .array(z.object({ path: z.string(), edits: z.number(), reads: z.number(), added: z.number(), removed: z.number() }))
    .describe('Files it touched, the most edited first'),
  spending: z
    .array(z.object({ at: z.number(), totalUsd: z.number(), tokens: z.number() }))
    .describe('Cost and tokens over time, at most a few hundred points'),
});
export type HistoryDetail = z.infer<typeof HistoryDetail>;

/** Our costs next to those the client wrote at the end of its sessions. */
export const CostCheck = z.object({
  checked: z
    .number()
    .describe("Sessions whose cost the client reported, whose models all have prices, and that aren't copies"),
  differing: z.number().describe('By more than 1%'),
  largest: z.array(z.object({ sessionId: z.string(), oursUsd: z.number(), clientUsd: z.number() })),
});
export type CostCheck = z.infer<typeof CostCheck>;

/** finding: looks for files. totals: reads tokens and costs. text: reads everything for search. idle: everything is read. */
export const INDEX_PHASES = ['finding', 'totals', 'text', 'idle'] as const;

/** What the reading thread reports. */
const IndexProgress = z.object({
  phase: z.enum(INDEX_PHASES),
  files: z.object({ total: z.number(), done: z.number().describe('Of the current phase') }),
  bytes: z.object({ total: z.number(), done: z.number() }),
  sessions: z.number(),
  parserVersion: z.number(),
  lastScanAt: z.number().nullable(),
  problems: z
    .array(
      z.object({
        path: z.string(),
        problem: z.string(),
        count: z.number(),
        isRead: z.boolean().describe('true: the lines were read anyway. false: they were skipped'),
      }),
    )
    .describe("Damaged lines by kind: not JSON, not UTF-8, NUL bytes, very long. They don't stop indexing"),
  unreadable: z
    .object({ count: z.number(), paths: z.array(z.object({ path: z.string(), reason: z.string() })) })
    .describe('Transcripts and folders we have no permission to read. Retried every few seconds'),
  unknownLineTypes: z.array(z.object({ type: z.string(), count: z.number() })),
});
export type IndexProgress = z.infer<typeof IndexProgress>;

export const IndexStatus = IndexProgress.extend({
  failure: z
    .string()
    .nullable()
    .describe('Why indexing stopped early. Retried every few seconds; null once everything is read'),
});
export type IndexStatus = z.infer<typeof IndexStatus>;
