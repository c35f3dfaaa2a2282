import { z } from 'zod';
import { SessionDriver } from './drivers.ts';
import { GROUPS } from './groups.ts';
import { Orchestration } from './orchestration.ts';
import { Cost, Inherited, ModelUsage, Tokens, Uncounted } from './usage.ts';

export const AgentState = z.object({
  group: z.enum(GROUPS),
  state: z.string().describe('Open string; known ones: needs_permission, awaiting_input, thinking, …'),
  label: z.string(),
  context: z.record(z.string(), z.unknown()).optional().describe('Tool input, error details; long strings are cut'),
  onlyInTerminal: z
    .boolean()
    .optional()
    .describe('A dialog is open that Ground Control does not hold: only the terminal can answer it'),
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
  lastMessage: z.string().nullable().describe('What it said last, at most 1,000 characters'),
  model: z.string().nullable(),
  tokens: Tokens.nullable().describe('Its own, without those it started; null: not known'),
  cost: Cost.nullable().describe('null: not known'),
  toolCalls: z.number().nullable(),
});
export type SubAgent = z.infer<typeof SubAgent>;

export const ProgressItem = z.object({
  id: z.string(),
  title: z.string(),
  status: z.enum(['pending', 'in_progress', 'completed']),
});
export type ProgressItem = z.infer<typeof ProgressItem>;

/** A process that a session started, that runs on its own, and that only a person can say whose it is. */
export const DetachedProcess = z.object({
  id: z.string().describe('Names this very process, also once its pid is used again: for `endDetached`'),
  pid: z.number(),
  command: z.string(),
  startedAt: z.number().nullable(),
  below: z.number().describe('How many processes run below it, and would end with it'),
  warning: z.string().nullable().describe('Why it may be yours: it holds a terminal, or another session runs in it'),
});
export type DetachedProcess = z.infer<typeof DetachedProcess>;

/** How a stop went, step by step. */
export const StopReceipt = z.object({
  steps: z.array(z.object({ step: z.string(), at: z.number(), detail: z.string() })),
  killedPids: z.array(z.number()).describe('Processes that we ended, but for its own'),
  processEnded: z.boolean().describe("The session's own process is gone"),
  leftPids: z.array(z.number()).describe('What should have ended and is still there: empty, or the stop is not true'),
  detached: z.array(DetachedProcess).describe('What it had started and that runs on its own: left alone'),
  resume: z.string().nullable().describe('The command that goes on with it; null: its process is still there'),
  exitCode: z.literal(130),
});
export type StopReceipt = z.infer<typeof StopReceipt>;

/** What to do if nothing reaches the session in time: say so and wait for it or for the operator, or end its process. */
export const IF_UNREACHED = ['ask', 'end'] as const;

export const Stop = z.object({
  state: z.enum(['stopping', 'stopped']),
  requestedAt: z.number(),
  requestedBy: z.string(),
  reason: z.string(),
  kill: z.boolean().describe("The session's process is to end in any case"),
  ifUnreached: z.enum(IF_UNREACHED),
  waitsUntil: z.number().nullable().describe('Until then its next hook is waited for; null: it is not, or no longer'),
  unreached: z
    .object({ since: z.number(), why: z.string(), resume: z.string() })
    .nullable()
    .describe('No hook came in time. It stops at its next one; what else is left is to end its process'),
  stoppedAt: z.number().nullable(),
  receipt: StopReceipt.nullable(),
});
export type Stop = z.infer<typeof Stop>;

/** Another live session that writes where this one writes. Files that shell commands write are not seen. */
export const Collision = z.object({
  sessionId: z.string().describe('The other session'),
  place: z
    .string()
    .nullable()
    .describe('The checkout, or without a repository the folder, that both write in; null: none'),
  files: z.array(z.string()).describe('Files that both have written, at most 20'),
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
    .describe('none while it works; settling until the state has held long enough to call the operator'),
  stateSince: z.number().describe('Epoch milliseconds'),
  title: z.string(),
  projectDisplayName: z.string(),
  projectPath: z.string().nullable(),
  cwd: z.string().nullable(),
  gitBranch: z.string().nullable(),
  model: z.string().nullable(),
  permissionMode: z.string().nullable(),
  currentActivity: z.string(),
  firstUserMessage: z.string().nullable().describe('The prompt that it began with'),
  lastUserMessage: z.string().nullable(),
  lastAgentMessage: z
    .string()
    .nullable()
    .describe('What the main agent said last since that prompt, at most 1,000 characters; null: nothing yet'),
  turnCount: z.number(),
  subAgents: z.array(SubAgent),
  progressItems: z.array(ProgressItem),
  tokens: Tokens.nullable().describe(
    'Everything this session itself used, subagents and other requests included; null: not known',
  ),
  cost: Cost.nullable().describe('The same in dollars; null: not known'),
  usageByModel: z.array(ModelUsage).describe('What its messages used, subagents included, the costliest model first'),
  otherUsage: z
    .array(ModelUsage)
    .describe('What compaction, web search and other requests used, which no message reports; part of the totals'),
  inherited: Inherited.nullable().describe('What it was forked with; not part of the totals. null: nothing'),
  uncounted: Uncounted.nullable().describe('Requests whose usage the client has not written yet; null: none known'),
  contextWindowTokens: z.number().nullable().describe('What the main agent last sent to its model; null: not known'),
  contextWindowLimit: z.number().nullable().describe('How much its model takes; null: not known'),
  cacheWarmUntil: z.number().nullable().describe('Until then a prompt is answered from the prompt cache'),
  turnStartedAt: z.number().nullable().describe('When the prompt came that it works on, or last worked on'),
  linesAdded: z.number().nullable(),
  linesRemoved: z.number().nullable(),
  toolCounts: z.record(z.string(), z.number()).describe('Tool calls so far, by tool'),
  collisions: z.array(Collision).describe('Until one of the two ends'),
  stop: Stop.nullable().describe('The last stop that was asked for; null once the session works again'),
  driver: SessionDriver.describe('What it is reached through, and what can be done to it from here'),
  noPrompts: z.string().nullable().describe('Why it takes no prompts from here; null: it does'),
  queuedPrompts: z.number().describe('What the operator has said and the session has not taken yet'),
  orchestration: Orchestration.nullable().describe('null: it was not started from here'),
  machine: z.string().describe('The host it runs on'),
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
  .object({ title: z.string().trim().min(1).max(500).nullable().describe('null: back to the automatic title') })
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
  sessionId: z.string().describe('Empty for what concerns no session'),
  source: z.enum(EVENT_SOURCES),
  name: z.string(),
  payload: z.record(z.string(), z.unknown()),
});
export type SessionEvent = z.infer<typeof SessionEvent>;

export const SessionEvents = z.object({
  events: z.array(SessionEvent),
  nextAfter: z.number().nullable().describe('Pass as `after` for the next page; null at the end'),
  nextBefore: z.number().nullable().describe('Pass as `before` for what came earlier; null at the beginning'),
});
export type SessionEvents = z.infer<typeof SessionEvents>;
