import { z } from 'zod';
import { AgentEvent, EventActor } from './agent-events.ts';
import { APPROVAL_KINDS, DECISION_VARIANTS } from './approvals.ts';
import { PERMISSION_MODES } from './blueprints.ts';
import { HookPayload } from './hooks.ts';
import { Budget } from './orchestration.ts';
import { ShellCommand, ShellsChanged } from './shells.ts';

/*
 * The protocol between a runner and the daemon. The runner makes all requests: `sync` sends events up and returns acknowledgements, and a second,
 * open request brings commands down. Either side can die at any moment: events are numbered and resent until acknowledged, questions have a
 * correlation id and are asked again, and a command counts as done once the runner has confirmed it.
 */

/** The answer to a prompt. */
export const TurnResult = z.object({
  text: z.string().nullable(),
  json: z.unknown().optional(),
  problems: z.array(z.string()).default([]).describe("Why the answer doesn't match the requested schema"),
  error: z.string().nullable(),
  isJudged: z.boolean().optional().describe("false: it hasn't been checked against its schema yet"),
  interrupted: z.boolean().default(false),
  turns: z.number().default(0),
  background: z
    .boolean()
    .default(false)
    .describe('Something is still running in the background, so another result follows'),
});
export type TurnResult = z.infer<typeof TurnResult>;

export const RunnerProcess = z.object({ pid: z.number(), start: z.string() });
export type RunnerProcess = z.infer<typeof RunnerProcess>;

const numbered = { seq: z.number().int().positive(), at: z.number().describe('Epoch milliseconds') };

/** What a runner reports. `client`: an event from the hosted client, untranslated; the daemon translates it like a terminal's. */
export const RunnerEvent = z.discriminatedUnion('kind', [
  z.object({ ...numbered, kind: z.literal('agent'), event: AgentEvent }),
  z.object({ ...numbered, kind: z.literal('client'), payload: HookPayload }),
  z.object({ ...numbered, kind: z.literal('ready'), version: z.string().nullable(), client: RunnerProcess.nullable() }),
  z.object({ ...numbered, kind: z.literal('result'), result: TurnResult }),
  z.object({
    ...numbered,
    kind: z.literal('retrying'),
    why: z.string(),
    until: z.number().nullable().describe('When it tries again, if it knows'),
    limit: z.string().nullable().describe("The account's limit that was reached; null: the model was only busy"),
  }),
  z.object({
    ...numbered,
    kind: z.literal('spent'),
    dollars: z.number().nullable(),
    tokens: z.number(),
    ms: z.number(),
  }),
  z.object({ ...numbered, kind: z.literal('ended'), error: z.string().nullable() }),
]);
export type RunnerEvent = z.infer<typeof RunnerEvent>;
/** Before it is numbered. */
export type RunnerNews = RunnerEvent extends infer E ? (E extends unknown ? Omit<E, 'seq' | 'at'> : never) : never;

/** Streaming text for viewers. Not kept. */
export const MessageDelta = z.object({
  sessionId: z.string(),
  messageId: z.string(),
  actor: EventActor,
  kind: z.enum(['text', 'thinking']),
  text: z.string(),
  offset: z.number().describe('Where it goes in the message: characters of the same kind that came before'),
});
export type MessageDelta = z.infer<typeof MessageDelta>;
/** The messages being written now, each run of text or thinking as one delta from its start. */
export const OpenMessageList = z.object({ deltas: z.array(MessageDelta) });

const ToolInput = z.record(z.string(), z.unknown());

/** `before`: rules alone, for a call that may need nobody. `decide`: an answer is needed, and the operator gives it if no rule does. */
export const RunnerAsk = z.object({
  correlationId: z.string().min(1).max(200),
  stage: z.enum(['before', 'decide']),
  kind: z.enum(APPROVAL_KINDS),
  actorId: z.string().optional().describe('The subagent that asks'),
  toolUseId: z.string().optional(),
  toolName: z.string(),
  toolInput: ToolInput,
  cwd: z.string().optional(),
  plan: z.string().optional(),
});
export type RunnerAsk = z.infer<typeof RunnerAsk>;

export const RunnerVerdict = z.object({
  correlationId: z.string(),
  decision: z.enum(['allow', 'deny', 'ask', 'none']),
  why: z.string(),
  by: z.string().optional().describe('Who decided: operator, rule, policy, stop or timeout'),
  how: z.enum(DECISION_VARIANTS).optional(),
  updatedInput: ToolInput.optional(),
  endsTurn: z.boolean().optional(),
});
export type RunnerVerdict = z.infer<typeof RunnerVerdict>;

export const RunnerSync = z.object({
  boot: z.object({ pid: z.number(), start: z.string(), bootId: z.string() }).describe('Which process this is'),
  events: z.array(RunnerEvent).max(1000),
  deltas: z
    .array(MessageDelta.omit({ sessionId: true }))
    .max(1000)
    .default([]),
  asks: z.array(RunnerAsk).max(1000).default([]).describe('After the events'),
  shells: ShellsChanged.omit({ sessionId: true }).nullable().default(null),
  withdrawn: z.array(z.string()).max(1000).default([]).describe('Questions that no longer need an answer'),
  answered: z
    .array(z.object({ correlationId: z.string(), decision: z.enum(['allow', 'deny']) }))
    .max(1000)
    .default([])
    .describe("Questions that were answered in the session's own terminal"),
  outcomes: z
    .array(
      z.object({
        id: z.string().describe('Of a command, or the correlation id of a verdict that was received'),
        error: z.string().nullable(),
        data: z.unknown().optional(),
      }),
    )
    .max(1000)
    .default([]),
});
export type RunnerSync = z.infer<typeof RunnerSync>;

/** A session that a person started with `gctl run`: its process exists already and hosts itself. */
export const Enrollment = z
  .object({
    runnerId: z.uuid().describe("The process's folder in `runners`, where it writes its events"),
    sessionId: z.string().regex(/^[\w-]{1,100}$/),
    cwd: z.string().startsWith('/').max(4096),
    prompt: z.string().max(200_000).nullable(),
    model: z.string().min(1).max(200),
    permissionMode: z.enum(PERMISSION_MODES),
    budget: Budget.default({}),
    isBusy: z.boolean().describe('A turn is running'),
  })
  .strict();
export type Enrollment = z.infer<typeof Enrollment>;

export const Enrolled = z.object({
  token: z.string().describe('Only for the runner routes, and only from this process'),
  waitsForDaemon: z.boolean().describe('In a strict project no tool runs while the daemon is away'),
});
export type Enrolled = z.infer<typeof Enrolled>;

export const RunnerSynced = z.object({
  acked: z.number().describe('Events up to here are in the journal'),
  verdicts: z.array(RunnerVerdict).describe('Those that are known; the others come as commands'),
});
export type RunnerSynced = z.infer<typeof RunnerSynced>;

const ordered = { id: z.string() };

export const RunnerCommand = z.discriminatedUnion('kind', [
  z.object({ ...ordered, kind: z.literal('prompt'), text: z.string() }),
  z.object({ ...ordered, kind: z.literal('interrupt') }).describe('End the turn; the session stays'),
  z.object({ ...ordered, kind: z.literal('shutdown'), why: z.string() }).describe('End the session and its processes'),
  z.object({ ...ordered, kind: z.literal('verdict'), verdict: RunnerVerdict }),
  z.object({
    ...ordered,
    kind: z.literal('settings'),
    model: z.string().optional(),
    permissionMode: z.enum(PERMISSION_MODES).optional(),
    budget: Budget.optional(),
  }),
  z.object({ ...ordered, kind: z.literal('children_spent'), dollars: z.number(), tokens: z.number() }),
  z.object({ ...ordered, kind: z.literal('rewind_files'), messageId: z.string(), dryRun: z.boolean() }),
  z.object({ ...ordered, kind: z.literal('background'), toolUseId: z.string() }),
  z.object({ ...ordered, kind: z.literal('shells'), command: ShellCommand }).describe("The built-in agent's shells"),
  z.object({ kind: z.literal('heartbeat') }),
]);
export type RunnerCommand = z.infer<typeof RunnerCommand>;

/** What a runner is started with: a file that only this user can read. */
export const RunnerSpec = z.object({
  runnerId: z.string(),
  sessionId: z.string(),
  token: z.string().describe('Only for the runner routes'),
  agentToken: z.string().describe('For the agent itself'),
  dataDir: z.string().describe('Its daemon.json says where the daemon listens, before every connection'),
  driver: z.enum(['claude', 'native']),
  cwd: z.string(),
  claude: z.string().nullable().describe("Absolute path of the client to run; null: the SDK's own"),
  start: z.discriminatedUnion('how', [
    z.object({ how: z.literal('new') }),
    z.object({ how: z.literal('resume'), atMessage: z.string().optional() }),
    z.object({ how: z.literal('fork'), from: z.string(), atMessage: z.string().optional() }),
  ]),
  prompt: z.string().nullable().describe('null: it waits for one'),
  promptId: z.string().nullable(),
  model: z.string().optional(),
  permissionMode: z.enum(PERMISSION_MODES).optional(),
  systemPrompt: z.string().optional().describe("Appended to the client's own"),
  tools: z.array(z.string()).optional().describe('Its tools. Absent: all'),
  deniedTools: z.array(z.string()).default([]),
  mcpServers: z.record(z.string(), z.unknown()).default({}),
  resultSchema: z.record(z.string(), z.unknown()).optional(),
  budget: Budget.default({}),
  spentBefore: z.object({ dollars: z.number(), tokens: z.number(), ms: z.number() }),
  lingerMs: z.number().describe('How long it waits for the next prompt before it ends'),
  waitsForDaemon: z.boolean().describe('In a strict project no tool runs while the daemon is away'),
  prices: z.unknown().describe('Price overrides of the operator'),
  sessionFiles: z
    .object({ dir: z.string(), name: z.string(), blueprint: z.string().nullable(), logging: z.boolean() })
    .nullable(),
});
export type RunnerSpec = z.infer<typeof RunnerSpec>;

/** Next to the spec: the processes that belong to a runner, so they can be found and ended if it is killed. */
export const RunnerProcesses = z.object({
  bootId: z.string(),
  runner: RunnerProcess,
  clients: z.array(RunnerProcess),
});
export type RunnerProcesses = z.infer<typeof RunnerProcesses>;
