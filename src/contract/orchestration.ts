import { z } from 'zod';
import { PERMISSION_MODES } from './blueprints.ts';
import { isFinished, LIFECYCLES } from './lifecycles.ts';
import { Moment } from './moment.ts';

/** A session's name is also a file name, and unique in its project. */
export const SESSION_NAME = /^[A-Za-z0-9_-]{1,60}$/;
export const SessionName = z.string().regex(SESSION_NAME, 'use 1 to 60 letters, digits, "-" and "_"');

/** What a runner hosts: Claude Code through the Agent SDK, or our own agent. */
export const RUNNER_DRIVERS = ['claude', 'native'] as const;
export const RunnerDriver = z.enum(RUNNER_DRIVERS);
export type RunnerDriver = z.infer<typeof RunnerDriver>;

export { isFinished, LIFECYCLES };
export const Lifecycle = z.enum(LIFECYCLES);
export type Lifecycle = z.infer<typeof Lifecycle>;

/** A session about to exceed its budget asks for this, as if it were a tool. */
export const BUDGET_TOOL = 'Budget';

/** What a session may use before it pauses and asks. Absent: no limit. Its children's use counts too. */
export const Budget = z
  .object({
    dollars: z.number().positive().max(1_000_000).optional(),
    tokens: z.number().int().positive().optional(),
    minutes: z.number().positive().max(1_000_000).optional().describe('Working time, not waiting time'),
  })
  .strict();
export type Budget = z.infer<typeof Budget>;

const ToolPatterns = z
  .array(z.string().trim().min(1).max(500))
  .max(500)
  .describe('`Read`, `Bash(npm test*)`, `Edit(src/**)`');
const JsonSchema = z.record(z.string(), z.unknown());
const AbsolutePath = z.string().startsWith('/', 'use an absolute path').max(4096);
const PromptText = z
  .string()
  .trim()
  .min(1, 'enter a prompt')
  .max(200_000)
  .refine((text) => !text.includes('\u0000'), "a prompt can't contain NUL characters");

/** The settings of a session that can be changed while it runs. */
export const SessionSettings = z
  .object({
    model: z.string().trim().min(1).max(200).optional(),
    permissionMode: z.enum(PERMISSION_MODES).optional(),
    allowedTools: ToolPatterns.optional().describe('Calls that need no approval in this session. Replaces the list'),
    budget: Budget.optional().describe('Replaces the budget'),
  })
  .strict();
export type SessionSettings = z.infer<typeof SessionSettings>;

/** What to start. `Orchestrator.start` takes it from the CLI, HTTP, MCP, the queue and a fan-out alike. */
export const StartSpec = z
  .object({
    name: SessionName.optional().describe('Unique in its project. Absent: derived from the blueprint or the prompt'),
    driver: RunnerDriver.default('claude'),
    blueprint: z.string().max(60).optional().describe('A saved agent: see GET /api/agents'),
    agentsDir: AbsolutePath.optional().describe('Look for the blueprint here first'),
    parameters: z.record(z.string(), z.unknown()).default({}).describe("For the blueprint's `{{name}}`"),
    prompt: PromptText,
    cwd: AbsolutePath.optional().describe('Where it works. Absent: its own scratch folder'),
    worktree: z
      .object({
        base: z.string().min(1).max(300).optional().describe('A branch or commit. Absent: HEAD'),
        setup: z.enum(['run', 'skip']).optional().describe("skip: the project's setup commands are not run"),
      })
      .strict()
      .optional()
      .describe('Work in a new worktree of the repository at `cwd`'),
    model: z.string().trim().min(1).max(200).optional(),
    permissionMode: z.enum(PERMISSION_MODES).optional(),
    allowedTools: ToolPatterns.default([]).describe('Calls that need no approval in this session'),
    deniedTools: ToolPatterns.default([]).describe('Calls that are always refused'),
    budget: Budget.optional(),
    resultSchema: JsonSchema.optional().describe("JSON Schema for the answer. Default: the blueprint's"),
    after: z.array(z.string().min(1).max(200)).max(100).default([]).describe('Start when these have succeeded'),
    priority: z.number().int().min(-1000).max(1000).default(0).describe('Higher starts first'),
    startAt: Moment.optional().describe('Not before: epoch milliseconds'),
    parentId: z.string().max(200).optional().describe('The session that starts it'),
    callback: z.boolean().default(false).describe('Prompt the parent when it ends'),
    group: z.string().max(100).optional().describe('Sessions of one fan-out share it'),
    consent: z
      .string()
      .max(200)
      .optional()
      .describe(
        "The operator's consent to the MCP servers in a project's blueprint: the `fingerprint` from the refusal",
      ),
    approvalTimeoutSeconds: z
      .number()
      .int()
      .positive()
      .max(7 * 86_400)
      .optional()
      .describe('Deny what is unanswered by then. Absent: it waits'),
    sessionsDir: AbsolutePath.optional().describe('Write {name}.meta.json, .jsonl and .log there'),
    logging: z.boolean().default(false).describe('Also write {name}.log'),
  })
  .strict();
export type StartSpec = z.infer<typeof StartSpec>;
export type StartRequest = z.input<typeof StartSpec>;

export const Spent = z.object({
  dollars: z.number().nullable().describe('null: its model has no price'),
  tokens: z.number(),
  minutes: z.number(),
});
export type Spent = z.infer<typeof Spent>;

/** Facts about a session that only exist because Ground Control started it. */
export const Orchestration = z.object({
  name: z.string(),
  project: z.string().nullable().describe("Its name is unique within this: the repository's root, or its folder"),
  driver: RunnerDriver,
  lifecycle: Lifecycle,
  waitsFor: z.string().nullable().describe("Why it isn't running yet, in one sentence"),
  error: z.string().nullable().describe('Why it failed, in one sentence'),
  blueprint: z.string().nullable(),
  parentId: z.string().nullable(),
  depth: z.number().describe('0: started by a person'),
  group: z.string().nullable(),
  cwd: z.string(),
  worktree: z.string().nullable(),
  prompt: z.string().describe('The first one, cut to 500 characters'),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  allowedTools: z.array(z.string()),
  budget: Budget,
  spent: Spent,
  priority: z.number(),
  after: z.array(z.string()),
  startAt: z.number().nullable(),
  startedBy: z.string(),
  createdAt: z.number(),
  startedAt: z.number().nullable(),
  finishedAt: z.number().nullable(),
  lastResumedAt: z.number().nullable(),
  hasRunner: z.boolean().describe('A process hosts it now, so a prompt reaches it immediately'),
  callback: z
    .enum(['wanted', 'due', 'sent'])
    .nullable()
    .default(null)
    .describe('Whether its parent is prompted when it ends. `due`: it has ended, and the parent is busy'),
});
export type Orchestration = z.infer<typeof Orchestration>;

/** A session that may have left the board. */
export const OrchestratedSession = Orchestration.extend({ id: z.string() });
export type OrchestratedSession = z.infer<typeof OrchestratedSession>;
export const OrchestratedList = z.object({ sessions: z.array(OrchestratedSession) });

export const OrchestratedQuery = z.object({
  name: z.string().max(60).optional(),
  project: z.string().max(4096).optional().describe('A folder of the project'),
  parent: z.string().max(200).optional(),
  group: z.string().max(100).optional(),
  lifecycle: Lifecycle.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200),
});
export type OrchestratedQuery = z.infer<typeof OrchestratedQuery>;

const followUp = {
  prompt: PromptText,
  ...SessionSettings.shape,
  sessionsDir: AbsolutePath.optional(),
  logging: z.boolean().default(false),
};

/** Continues a session: one that Ground Control started, or one whose terminal has closed. */
export const ResumeRequest = z
  .object({ ...followUp, name: SessionName.optional().describe('For a session that started in a terminal') })
  .strict();
export type ResumeRequest = z.infer<typeof ResumeRequest>;

/** A new session with the same history. The old one is unchanged. */
export const ForkRequest = z
  .object({
    ...followUp,
    name: SessionName.optional(),
    atMessage: z.string().max(200).optional().describe('The last message to keep'),
  })
  .strict();
export type ForkRequest = z.infer<typeof ForkRequest>;

/** Goes back to before a prompt: drops everything said since and, if requested, restores the files. */
export const RewindRequest = z
  .object({
    messageId: z.string().min(1).max(200).describe('The prompt to go back to, by its message id'),
    files: z.boolean().default(true).describe('Also restore the files that the session changed since'),
    prompt: PromptText.optional().describe('What to do from there. Absent: it waits'),
  })
  .strict();
export type RewindRequest = z.infer<typeof RewindRequest>;

export const Rewound = z.object({
  session: OrchestratedSession,
  filesChanged: z.array(z.string()),
  insertions: z.number().nullable(),
  deletions: z.number().nullable(),
});
export type Rewound = z.infer<typeof Rewound>;

/** The outcome of the last prompt. */
export const SessionResult = z.object({
  id: z.string(),
  name: z.string(),
  lifecycle: Lifecycle,
  text: z.string().nullable().describe('The last answer; null: none yet'),
  json: z.unknown().optional().describe('The answer as JSON, if it matches the requested schema'),
  problems: z.array(z.string()).describe("Why the answer doesn't match its schema. Empty: it does, or there is none"),
  error: z.string().nullable(),
  turns: z.number(),
  spent: Spent,
});
export type SessionResult = z.infer<typeof SessionResult>;

export const WaitQuery = z.object({
  sessions: z.string().min(1).max(100_000).describe('Ids or names, separated by commas'),
  project: z.string().max(4096).optional().describe('Where the names are looked up'),
  any: z.stringbool().default(false).describe('Respond when one has finished, instead of all'),
  timeoutSeconds: z.coerce.number().min(0).max(3600).default(50),
});
export type WaitQuery = z.infer<typeof WaitQuery>;

export const WaitAnswer = z.object({
  sessions: z.array(OrchestratedSession),
  finished: z.array(z.string()).describe('Ids of those that have finished'),
  isDone: z.boolean().describe('false: timed out first'),
});

/** Limits on what agents may start. They don't apply to the operator. */
export const AGENT_LIMITS = { depth: 3, descendants: 20, startsPerMinute: 10 } as const;
