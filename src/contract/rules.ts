import { z } from 'zod';
import { Moment } from './moment.ts';

/** Whom a rule applies to: one session, the sessions of one project, or all. */
export const RULE_SCOPES = ['session', 'project', 'global'] as const;

export const RULE_DECISIONS = ['allow', 'deny', 'ask'] as const;
export type RuleDecision = (typeof RULE_DECISIONS)[number];

export const RulePattern = z
  .object({
    toolName: z.string().trim().min(1).max(200).describe('Glob: Bash, mcp__github__*, Read|Grep'),
    parameters: z
      .record(z.string().min(1).max(200), z.string().min(1).max(2000))
      .refine((parameters) => Object.keys(parameters).length <= 10, 'At most 10 parameters')
      .default({})
      .describe('A glob per parameter, dotted for nested ones: {"command": "npm run *"}. None: any input'),
  })
  .strict();
export type RulePattern = z.infer<typeof RulePattern>;

const draftFields = {
  scope: z.enum(RULE_SCOPES).default('global'),
  sessionId: z.string().min(1).max(200).optional().describe('With scope session'),
  project: z.string().startsWith('/').max(4096).optional().describe('With scope project: its root folder'),
  priority: z.number().int().min(-1000).max(1000).default(0).describe('Higher wins among rules with the same decision'),
  enabled: z.boolean().default(true),
  pattern: RulePattern,
  decision: z.enum(RULE_DECISIONS),
  reason: z.string().trim().max(500).default('').describe('Shown to the operator and, for deny, to the agent'),
  expiresAt: Moment.optional().describe('Epoch milliseconds. Absent: never expires'),
};

/** A rule as the operator writes it. */
export const RuleDraft = z
  .object(draftFields)
  .strict()
  .superRefine((draft, context) => {
    if ((draft.scope === 'session') !== (draft.sessionId !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['sessionId'],
        message: 'sessionId is required with scope session, and only allowed there',
      });
    }
    if ((draft.scope === 'project') !== (draft.project !== undefined)) {
      context.addIssue({
        code: 'custom',
        path: ['project'],
        message: 'project is required with scope project, and only allowed there',
      });
    }
  });
export type RuleDraft = z.infer<typeof RuleDraft>;

export const Rule = z.object({
  id: z.string(),
  ...draftFields,
  version: z.number().int().describe('Counts the changes, from 1'),
  createdAt: z.number().describe('Epoch milliseconds'),
  updatedAt: z.number(),
});
export type Rule = z.infer<typeof Rule>;

export const RULE_ACTIONS = ['created', 'updated', 'deleted', 'restored'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** A rule after one change. */
export const RuleVersion = z.object({
  version: z.number(),
  action: z.enum(RULE_ACTIONS),
  at: z.number(),
  by: z.string(),
  rule: Rule,
});
export type RuleVersion = z.infer<typeof RuleVersion>;

/** Always active, and no allow rule overrides it. Covers actions against Ground Control itself. */
export const BuiltInRule = z.object({
  id: z.string(),
  decision: z.literal('ask'),
  about: z.string().describe('Which calls'),
  reason: z.string(),
});
export type BuiltInRule = z.infer<typeof BuiltInRule>;

export const RulesTestRequest = z
  .object({
    toolName: z.string().min(1).max(200),
    toolInput: z.record(z.string(), z.unknown()).default({}),
    cwd: z.string().startsWith('/').max(4096).optional(),
    project: z.string().startsWith('/').max(4096).optional(),
    sessionId: z.string().min(1).max(200).optional(),
    rules: z
      .array(z.object({ id: z.string().min(1).optional(), ...draftFields }))
      .max(10_000)
      .optional()
      .describe('Use only these rules instead of the saved ones'),
    also: RuleDraft.optional().describe('Also use this rule, under the id "draft"'),
    except: z.string().min(1).optional().describe('Ignore this saved rule, such as the one being edited'),
  })
  .strict();
export type RulesTestRequest = z.infer<typeof RulesTestRequest>;

export const RULE_OUTCOMES = [...RULE_DECISIONS, 'none'] as const;
export type RuleOutcome = (typeof RULE_OUTCOMES)[number];

export const RulesTestResponse = z.object({
  decision: z.enum(RULE_OUTCOMES).describe("none: no rule applies, so the project's policy decides"),
  ruleId: z.string().optional(),
  why: z.string().describe("One sentence: the rule and the part it matched, or what couldn't be proven"),
});
export type RulesTestResponse = z.infer<typeof RulesTestResponse>;

export const RuleTemplate = z.object({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  rules: z.array(RuleDraft).describe('Paths are relative to the project'),
});
export type RuleTemplate = z.infer<typeof RuleTemplate>;

export const RuleSuggestion = z.object({
  draft: RuleDraft,
  text: z.string().describe('The rule in words, as it would be saved'),
  shape: z.string(),
  approvals: z.number().int(),
  examples: z.array(z.string()),
});
export type RuleSuggestion = z.infer<typeof RuleSuggestion>;

/** What "always" would save for one approval. */
export const AlwaysRule = z.object({
  draft: RuleDraft,
  text: z.string().describe('The rule in words, as it would be saved'),
  applies: z.boolean().describe('Whether the same call would then be allowed'),
  why: z.string().describe('What the rules would decide for the same call, and which one'),
});
export type AlwaysRule = z.infer<typeof AlwaysRule>;

export const RulesRehearsalRequest = z
  .object({
    rule: RuleDraft,
    id: z.string().min(1).optional().describe('The saved rule it would replace'),
    limit: z.number().int().min(1).max(500).default(100),
  })
  .strict();

/** What a rule would have decided for past calls. */
export const RulesRehearsal = z.object({
  looked: z.number().int().describe('How many calls were tried'),
  matched: z.number().int(),
  calls: z
    .array(
      z.object({
        seq: z.number(),
        at: z.number(),
        sessionId: z.string(),
        toolName: z.string(),
        toolInput: z.record(z.string(), z.unknown()).describe('Long strings are truncated'),
        matches: z.boolean(),
        why: z.string(),
        overruledBy: z
          .object({ decision: z.enum(RULE_DECISIONS), ruleId: z.string().optional(), why: z.string() })
          .optional()
          .describe('It matches, but another rule decides'),
      }),
    )
    .describe('Matching calls first, newest first'),
});
export type RulesRehearsal = z.infer<typeof RulesRehearsal>;
