import { z } from 'zod';
import { SessionDriver } from './drivers.ts';
import { GROUPS } from './groups.ts';
import { Orchestration } from './orchestration.ts';
import { Cost, Inherited, ModelUsage, Tokens, Uncounted } from './usage.ts';

export const AgentState = z.object({
  group: z.enum(GROUPS),
  state: z.string().describe('Open set. Known values: needs_permission, awaiting_input, thinking, …'),
  label: z.string(),
  context: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Tool input, error details; long strings are truncated'),
  onlyInTerminal: z
    .boolean()
    .optional()
    .describe("Ground Control doesn't hold this dialog, so only the terminal can answer it"),
});
export type AgentState = z.infer<typeof AgentState>;

export const SubAgent = z.object({
  id: z.string(),
  parentId: z.string().nullable().describe('The subagent that started this one; null under the main agent'),
  type: z.string(),
  description: z.string().nullable(),
  agentState: AgentState,
  stateSince: z.number(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  lastMessage: z.string().nullable().describe('Its last message, at most 1,000 characters'),
  model: z.string().nullable(),
  tokens: Tokens.nullable().describe('Its own usage, without the subagents it started. null: unknown'),
  cost: Cost.nullable().describe('null: unknown'),
  toolCalls: z.number().nullable(),
});
export type SubAgent = z.infer<typeof SubAgent>;

export const ProgressItem = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type ProgressItem = z.infer<typeof ProgressItem>;

/** A detached process a session started; only a person can say whose it is. */
export const DetachedProcess = z.object({
  id: z.string().describe('Identifies this process even if its pid is reused. For `endDetached`'),
  pid: z.number(),
  command: z.string(),
  startedAt: z.number().nullable(),
  below: z.number().describe('How many child processes would end with it'),
  warning: z
    .string()
    .nullable()
    .describe('Why it may be yours: it holds a terminal, or another session is running in it'),
});
export type DetachedProcess = z.infer<typeof DetachedProcess>;

/** How a stop went, step by step. */
export const StopReceipt = z.object({
  steps: z.array(z.object({ step: z.string(), at: z.number(), detail: z.string() })),
  killedPids: z.array(z.number()).describe("Processes that were ended, except the session's own"),
  processEnded: z.boolean().describe("The session's own process has ended"),
  leftPids: z
    .array(z.number())
    .describe('Processes that should have ended but are still running. If any, the stop was incomplete'),
  detached: z.array(DetachedProcess).describe('Detached processes it started, left running'),
  resume: z.string().nullable().describe('The command that resumes it. null: its process is still running'),
  exitCode: z.literal(130),
});
export type StopReceipt = z.infer<typeof StopReceipt>;

/** What to do if the session can't be reached in time: report it and wait for it or the operator, or end its process. */
export const IF_UNREACHED = ['ask', 'end'] as const;

export const Stop = z.object({
  state: z.enum(['stopping', 'stopped']),
  requestedAt: z.number(),
  requestedBy: z.string(),
  reason: z.string(),
  kill: z.boolean().describe("End the session's process regardless"),
  ifUnreached: z.enum(IF_UNREACHED),
  waitsUntil: z.number().nullable().describe('How long we wait for its next hook. null: not waiting'),
  unreached: z
    .object({ since: z.number(), why: z.string(), resume: z.string() })
    .nullable()
    .describe('No hook arrived in time. It stops at its next one; the alternative is to end its process'),
  stoppedAt: z.number().nullable(),
  receipt: StopReceipt.nullable(),
});
export type Stop = z.infer<typeof Stop>;

/** Another live session that writes in the same place. Files written by shell commands aren't detected. */
export const Collision = z.object({
  sessionId: z.string().describe('The other session'),
  place: z
    .string()
    .nullable()
    .describe('The checkout both write in, or the folder if there is no repository. null: none'),
  files: z.array(z.string()).describe('Files both have written, at most 20'),
  since: z.number(),
});
export type Collision = z.infer<typeof Collision>;

export const LiveSession = z.object({
  id: z.string(),
  seq: z.number().describe('Journal position of the last event that changed this session'),
  status: z.enum(['working', 'paused', 'done']),
  agentState: AgentState.describe('The most urgent state among the main agent and its subagents'),
  attention: z
    .enum(['none', 'settling', 'settled'])
    .describe('none while it works; settling until the state has lasted long enough to call the operator'),
  stateSince: z.number().describe('Epoch milliseconds'),
  title: z.string(),
  projectDisplayName: z.string(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  gitBranch: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  currentActivity: z.string(),
  firstUserMessage: z.string().nullable().describe('Its first prompt'),
  lastUserMessage: z.string().nullable(),
  lastAgentMessage: z
    .string()
    .nullable()
    .describe("The main agent's last message since that prompt, at most 1,000 characters. null: nothing yet"),
  turnCount: z.number(),
  subAgents: z.array(SubAgent),
  progressItems: z.array(ProgressItem),
  tokens: Tokens.nullable().describe(
    'Everything this session used, including subagents and other requests. null: unknown',
  ),
  cost: Cost.nullable().describe('The same in dollars. null: unknown'),
  usageByModel: z.array(ModelUsage).describe('Usage from messages, including subagents, most expensive model first'),
  otherUsage: z
    .array(ModelUsage)
    .describe('Usage from compaction, web search and other requests that no message reports; part of the totals'),
  inherited: Inherited.nullable().describe(
    'Usage inherited from the session it was forked from; not part of the totals',
  ),
  uncounted: Uncounted.nullable().describe("Requests whose usage the client hasn't written yet. null: none known"),
  contextWindowTokens: z.number().nullable().describe("Size of the main agent's last request. null: unknown"),
  contextWindowLimit: z.number().nullable().describe("The model's context window. null: unknown"),
  cacheWarmUntil: z.number().nullable().describe('When the prompt cache expires'),
  turnStartedAt: z.number().nullable().describe("When the current or latest turn's prompt was submitted"),
  linesAdded: z.number().nullable(),
  linesRemoved: z.number().nullable(),
  toolCounts: z.record(z.string(), z.number()).describe('Tool calls so far, by tool'),
  collisions: z.array(Collision).describe('Sessions writing in the same place, until one of them ends. 20 at most'),
  stop: Stop.nullable().describe('The latest stop requested. null once the session works again'),
  driver: SessionDriver.describe('How it is reached, and what can be done to it'),
  noPrompts: z.string().nullable().describe('Why it takes no prompts. null: it does'),
  queuedPrompts: z.number().describe("Prompts the session hasn't taken yet"),
  orchestration: Orchestration.nullable().describe('null: it was not started from here'),
  machine: z.string().describe('The name of the machine it runs on. Its id is in `id`, if it is another machine'),
  pid: z.number().nullable(),
  clientVersion: z.string().nullable(),
  transcriptPath: z.string().nullable(),
  startedAt: z.number(),
  lastActivityAt: z.number(),
  endedAt: z.number().nullable(),
  endReason: z.string().nullable(),
});
export type LiveSession = z.infer<typeof LiveSession>;

export const SessionList = z.object({ sessions: z.array(LiveSession) });

export const SessionPatch = z
  .object({ title: z.string().trim().min(1).max(500).nullable().describe('null: restore the automatic title') })
  .strict();
export type SessionPatch = z.infer<typeof SessionPatch>;

/**
 * Who said so: a client's hook, a runner, our watch on processes and files, the operator, the passing of time, or Ground Control
 * itself (an approval held, a rule applied, a stop carried out).
 */
export const EVENT_SOURCES = ['hook', 'runner', 'watch', 'operator', 'clock', 'control'] as const;
export type EventSource = (typeof EVENT_SOURCES)[number];

export const SessionEvent = z.object({
  seq: z.number(),
  at: z.number().describe('Epoch milliseconds'),
  sessionId: z.string().describe("Empty if it isn't about a session"),
  source: z.enum(EVENT_SOURCES),
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
});
export type SessionEvent = z.infer<typeof SessionEvent>;

export const SessionEvents = z.object({
  events: z.array(SessionEvent),
  nextAfter: z.number().nullable().describe('Pass as `after` for the next page; null at the end'),
  nextBefore: z.number().nullable().describe('Pass as `before` to get earlier messages; null at the beginning'),
});
export type SessionEvents = z.infer<typeof SessionEvents>;
