import { z } from 'zod';
import { Rule, RuleDraft } from './rules.ts';

export const REVIEW_STATUSES = ['pending', 'approved', 'denied', 'dismissed'] as const;
export type ReviewStatus = (typeof REVIEW_STATUSES)[number];

/** A call that no rule matched and that the client ran, to be reviewed afterwards. */
export const Review = z.object({
  id: z.string().describe("The client's tool_use_id"),
  sessionId: z.string(),
  at: z.number(),
  toolName: z.string(),
  toolInput: z.record(z.string(), z.unknown()),
  project: z.string(),
  shape: z.string().describe('The pattern shared by similar calls: "npm run *"'),
  status: z.enum(REVIEW_STATUSES),
  ruleId: z.string().nullable().describe('The rule created from it'),
  decidedBy: z.string().nullable(),
  decidedAt: z.number().nullable(),
  notes: z.string().nullable(),
});
export type Review = z.infer<typeof Review>;

export const ReviewGroup = z.object({
  toolName: z.string(),
  shape: z.string(),
  count: z.number(),
  sessions: z.number(),
  lastAt: z.number(),
  latest: Review,
});
export type ReviewGroup = z.infer<typeof ReviewGroup>;
export const ReviewGroups = z.object({ groups: z.array(ReviewGroup) });

/** approve: it was right. deny: block it next time, with a rule. dismiss: no opinion. A rule may come with any of them. */
export const ReviewDecision = z
  .object({
    toolName: z.string(),
    shape: z.string(),
    sessionId: z.string().optional().describe('Only this session'),
    action: z.enum(['approve', 'deny', 'dismiss']),
    rule: RuleDraft.optional().describe(
      'The rule to create from it. With deny, one is created from the shape if none is given',
    ),
    notes: z.string().trim().min(1).max(2000).optional().describe('Why; kept with the decision'),
  })
  .strict();
export type ReviewDecision = z.infer<typeof ReviewDecision>;
export const ReviewsDecided = z.object({ decided: z.number(), rule: Rule.optional() });

/** How many calls wait for review. */
export const ReviewCount = z.object({ pending: z.number() });
export type ReviewCount = z.infer<typeof ReviewCount>;
