import { z } from 'zod';
import { RULE_DECISIONS } from './rules.ts';

/** What was decided about a session's calls: by rules, policies, the operator and in review. */
export const SessionDecisions = z.object({
  counts: z.object({
    approved: z.number(),
    denied: z.number(),
    pending: z.number().describe('Waiting for the operator'),
    toReview: z.number().describe('Ran without a rule, not reviewed yet'),
  }),
  rules: z
    .array(
      z.object({
        ruleId: z.string(),
        text: z.string().nullable().describe('The rule in words. null: it was deleted'),
        decision: z.enum(RULE_DECISIONS),
        count: z.number(),
        lastAt: z.number(),
      }),
    )
    .describe('The rules that applied, the latest first'),
});
export type SessionDecisions = z.infer<typeof SessionDecisions>;
