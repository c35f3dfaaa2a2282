import { z } from 'zod';

/** One audit entry: who did what, when, after how long, by which rule, on what input. */
export const AuditEntry = z.object({
  seq: z.number(),
  at: z.number(),
  action: z
    .string()
    .describe(
      'approval.decided, rule.applied, rule.created, session.stopping, session.stopped, prompt.queued, access.refused, …',
    ),
  by: z.string(),
  sessionId: z.string().nullable(),
  outcome: z.string().nullable().describe('allow, deny, answered_in_terminal, stopped, …'),
  toolName: z.string().nullable(),
  toolInput: z.unknown(),
  ruleId: z.string().nullable(),
  waitedMs: z.number().nullable(),
  detail: z.string().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = z.object({
  action: z.string().optional().describe('An action or a prefix: "rule."'),
  sessionId: z.string().optional(),
  by: z.string().optional().describe('Part of the name'),
  since: z.coerce.number().optional(),
  until: z.coerce.number().optional(),
  order: z.enum(['oldest', 'newest']).default('oldest').describe('Sort order'),
  after: z.coerce.number().int().min(0).default(0).describe("Only entries newer than this seq: a page's `nextAfter`"),
  before: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe("Only entries older than this seq: a page's `nextBefore`, newest first"),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type AuditQuery = z.infer<typeof AuditQuery>;

export const AuditPage = z.object({
  entries: z.array(AuditEntry),
  nextAfter: z.number().nullable().describe('Oldest first: where the next page starts. null on the last page'),
  nextBefore: z
    .number()
    .nullable()
    .default(null)
    .describe('Newest first: where the next page starts. null on the last page'),
});
export type AuditPage = z.infer<typeof AuditPage>;
