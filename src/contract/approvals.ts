import { z } from 'zod';
import { FileDiff } from './messages.ts';
import { PRESENCE_LEVELS } from './presence.ts';
import { Rule, RuleDraft } from './rules.ts';

export const APPROVAL_KINDS = ['permission', 'question', 'plan', 'elicitation'] as const;
export type ApprovalKind = (typeof APPROVAL_KINDS)[number];

/**
 * Who asked: a client's hook, whose dialog stays open in its terminal; a program through the API; or a session's runner. The last two have no one else to ask.
 */
export const APPROVAL_ORIGINS = ['hook', 'api', 'runner'] as const;

/**
 * pending: someone waits. decided: by the operator, a rule or a timeout, see `decision`. answered_in_terminal: at the keyboard, before us.
 * cancelled: the session ended. released: returned to the client undecided, see `closedWhy`. expired: its asker hung up, and the client
 * decided on its own.
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

/** Who decides a returned request: its terminal, Claude Code itself (with a denial), or the program that runs it. */
export const RELEASE_TO = ['terminal', 'client', 'host'] as const;
export type ReleaseTo = (typeof RELEASE_TO)[number];

const ToolInput = z.record(z.string(), z.unknown());

/** What only the built-in agent can do: run an allowed command in the background, or drop a denied call as killed. */
export const DECISION_VARIANTS = ['background', 'kill'] as const;
const Variant = z
  .enum(DECISION_VARIANTS)
  .optional()
  .describe(
    'Only for the built-in agent. background: allow, and run it in the background. kill: deny, and end the call',
  );

export const Decision = z.object({
  decision: z.enum(['allow', 'deny']),
  how: Variant,
  message: z.string().optional(),
  updatedInput: ToolInput.optional(),
  answers: z
    .record(z.string(), z.string())
    .optional()
    .describe('Keyed by question; several labels are joined with ", "'),
  interrupt: z.boolean().optional(),
  reason: z.string().optional().describe('Why it was decided automatically: timeout'),
  by: z.string().describe('The device, or "rule", "policy", "stop" or "timeout"'),
  ruleId: z.string().optional().describe('The rule that decided, if one did'),
  at: z.number(),
  waitedMs: z.number(),
});
export type Decision = z.infer<typeof Decision>;

/**
 * What happened to a decision: an answer counts as delivered once there is proof that the asker took it. `pending`: on its way, not proven yet,
 * or the asker is expected to reconnect (the daemon restarted).
 */
export const DELIVERY_STATES = ['pending', 'delivered', 'not_delivered'] as const;
export const Delivery = z.object({
  state: z.enum(DELIVERY_STATES),
  at: z.number().describe('Since when'),
  why: z.string().optional().describe('One sentence on why it was not delivered'),
});
export type Delivery = z.infer<typeof Delivery>;

/** A decision that hasn't taken effect yet, so it can still be undone. */
export const HeldDecision = z.object({
  decision: z.enum(['allow', 'deny']),
  by: z.string().describe('The device that decided'),
  until: z.number().describe('When it takes effect'),
});
export type HeldDecision = z.infer<typeof HeldDecision>;

export const Approval = z.object({
  id: z.string(),
  origin: z.enum(APPROVAL_ORIGINS),
  correlationId: z.string().describe('Chosen by the requester: asking twice is one approval'),
  sessionId: z.string(),
  agentId: z.string().optional(),
  kind: z.enum(APPROVAL_KINDS),
  toolName: z.string(),
  toolUseId: z.string().optional(),
  cwd: z.string().optional().describe('The folder the call is made in'),
  toolInput: ToolInput.describe(
    'Long strings are truncated in lists and streams; GET /api/approvals/:id returns them in full',
  ),
  plan: z.string().optional().describe('The plan text, from the client’s plan file'),
  ruleId: z.string().optional().describe('The rule that said ask'),
  status: z.enum(APPROVAL_STATUSES),
  createdAt: z.number(),
  expiresAt: z.number().optional().describe('When the requester stops waiting'),
  releaseAt: z
    .number()
    .optional()
    .describe('When it is returned undecided, or earlier if no operator is present. Absent: no limit'),
  releaseTo: z.enum(RELEASE_TO).optional().describe('Who decides after `releaseAt`'),
  timeoutSeconds: z.number().optional(),
  settledAt: z.number().optional(),
  held: HeldDecision.optional().describe('While pending: a decision that can still be undone'),
  decision: Decision.optional(),
  closedBy: z.string().optional().describe('Who returned it, if the operator did'),
  closedWhy: z.string().optional().describe('Why it was closed without a decision'),
  delivery: Delivery.optional().describe('Once decided: whether the decision has reached the requester'),
});
export type Approval = z.infer<typeof Approval>;

/** What a requested edit would do to the file as it is now. */
export const EditPreview = z.object({
  diff: FileDiff.nullable().describe(
    'With line numbers and context from the file. null: not an edit, or not available',
  ),
  note: z.string().nullable().describe('A note on it: a new file, an edit that would fail'),
});
export type EditPreview = z.infer<typeof EditPreview>;

export const ApprovalList = z.object({ approvals: z.array(Approval) });

export const DecisionRequest = z
  .object({
    decision: z.enum(['allow', 'deny']),
    how: Variant,
    message: z.string().max(20_000).optional(),
    updatedInput: ToolInput.optional(),
    answers: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .optional()
      .describe('Keyed by question: a label, several labels, or free text'),
    interrupt: z.boolean().optional().describe('With deny: also end the turn'),
    remember: RuleDraft.optional().describe('A rule to create from it, for next time'),
    undoable: z
      .boolean()
      .optional()
      .describe(
        'Wait for the undo window before it takes effect (GET /api/undo-window). Default: takes effect immediately',
      ),
  })
  .strict();
export type DecisionRequest = z.infer<typeof DecisionRequest>;

/** Long enough to notice a mistake, short enough not to slow an agent down. */
export const DEFAULT_UNDO_SECONDS = 4;

export const UndoWindow = z
  .object({
    seconds: z
      .number()
      .min(0)
      .max(60)
      .describe('How long an undoable decision waits before it takes effect. 0: no wait, and no undo'),
  })
  .strict();
export type UndoWindow = z.infer<typeof UndoWindow>;

export const DecisionResult = Approval.extend({
  rule: Rule.optional().describe('The rule created from it'),
  alsoSettled: z.array(z.string()).optional().describe('Ids of other pending approvals that the new rule decided'),
});
export type DecisionResult = z.infer<typeof DecisionResult>;

export const DEFAULT_APPROVAL_TIMEOUT_S = 30;
export const MAX_APPROVAL_TIMEOUT_S = 86_400;

/** How long a program that asks through the API waits for the operator, unless it says otherwise. */
export const ApprovalTimeout = z
  .object({ seconds: z.number().positive().max(MAX_APPROVAL_TIMEOUT_S).describe('Denied after this long') })
  .strict();
export const ApprovalTimeoutState = ApprovalTimeout.extend({
  from: z.enum(['environment', 'setting', 'default']).describe('The environment variable overrides the setting'),
});
export type ApprovalTimeoutState = z.infer<typeof ApprovalTimeoutState>;

export const Away = z.object({
  away: z.boolean().describe('The operator is away from the desk but will answer from elsewhere'),
});

export const MIN_HOLD_SECONDS = 5;
/** The client waits a day for a hook; beyond this, the answer could be too late. */
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
  presence: z.enum(PRESENCE_LEVELS).describe('Whether someone is at a Ground Control page'),
});
export type HoldState = z.infer<typeof HoldState>;
