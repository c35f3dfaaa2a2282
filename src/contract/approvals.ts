import { z } from 'zod';
import { PRESENCE_LEVELS } from './presence.ts';
import { RuleDraft } from './rules.ts';

export const APPROVAL_KINDS = ['permission', 'question', 'plan', 'elicitation'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/**
 * pending: someone waits. decided: by the operator, by a rule or by a time-out, see `decision`. answered_in_terminal:
 * at the keyboard, before us. cancelled: the session ended. released: given back to the client undecided, see `closedWhy`.
 * expired: its asker hung up, and the client decided by itself.
 */
export const APPROVAL_STATUSES = [
  'pending',
  'decided',
  'answered_in_terminal',
  'cancelled',
  'released',
  'expired',
] as const;
export type ApprovalStatus = (typeof APPROVAL_STATUSES)[number];

/** Who answers when a request is held no longer: the terminal, Claude Code with a denial, or the program that runs it. */
export const AFTER_HOLD = ['terminal', 'denied', 'host'] as const;
export type AfterHold = (typeof AFTER_HOLD)[number];

const ToolInput = z.record(z.string(), z.unknown());

export const Decision = z.object({
  decision: z.enum(['allow', 'deny']),
  message: z.string().optional(),
  updatedInput: ToolInput.optional(),
  answers: z.record(z.string(), z.string()).optional().describe('By question; several labels are joined by ", "'),
  interrupt: z.boolean().optional(),
  reason: z.string().optional().describe('Why nobody decided: timeout'),
  by: z.string().describe('The device, or "timeout"'),
  at: z.number(),
  waitedMs: z.number(),
});
export type Decision = z.infer<typeof Decision>;

export const Approval = z.object({
  id: z.string(),
  correlationId: z.string().describe('Chosen by the asker: asking twice is one approval'),
  sessionId: z.string(),
  agentId: z.string().optional(),
  kind: z.enum(APPROVAL_KINDS),
  toolName: z.string(),
  toolUseId: z.string().optional(),
  toolInput: ToolInput.describe('Long strings are cut in lists and streams; GET /api/approvals/:id has all'),
  plan: z.string().optional().describe('The plan text, from the client’s plan file'),
  ruleId: z.string().optional().describe('The rule that said ask'),
  status: z.enum(APPROVAL_STATUSES),
  createdAt: z.number(),
  expiresAt: z.number().optional().describe('When the asker stops waiting'),
  heldUntil: z
    .number()
    .optional()
    .describe('Until then it is held at most, and only while an operator is there or away; absent: no limit'),
  afterHold: z.enum(AFTER_HOLD).optional().describe('Who answers when it is held no longer; goes with `heldUntil`'),
  timeoutSeconds: z.number().optional(),
  settledAt: z.number().optional(),
  decision: Decision.optional(),
  closedBy: z.string().optional().describe('Who gave it back, if the operator did'),
  closedWhy: z.string().optional().describe('Why it was closed without a decision'),
});
export type Approval = z.infer<typeof Approval>;

export const ApprovalList = z.object({ approvals: z.array(Approval) });

export const DecisionRequest = z
  .object({
    decision: z.enum(['allow', 'deny']),
    message: z.string().max(20_000).optional(),
    updatedInput: ToolInput.optional(),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .optional()
      .describe('By question: a label, several, or free text'),
    interrupt: z.boolean().optional().describe('With deny: end the turn as well'),
    remember: RuleDraft.optional().describe('A rule to make of it, for the next time'),
  })
  .strict();
export type DecisionRequest = z.infer<typeof DecisionRequest>;

export const Away = z.object({
  away: z.boolean().describe('The operator is not at the desk, but will answer from elsewhere'),
});

export const MIN_HOLD_SECONDS = 5;
/** The client waits a day for a hook; past this the answer could come too late. */
export const MAX_HOLD_SECONDS = 23 * 3600;

export const HoldSettings = z
  .object({
    holdSeconds: z
      .number()
      .int()
      .min(MIN_HOLD_SECONDS)
      .max(MAX_HOLD_SECONDS)
      .describe('How long a request that no terminal shows is held for the operator'),
  })
  .strict();
export const HoldState = HoldSettings.extend({
  away: z.boolean(),
  presence: z.enum(PRESENCE_LEVELS).describe('Whether somebody looks at the page'),
});
export type HoldState = z.infer<typeof HoldState>;
