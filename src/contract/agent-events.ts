import { z } from 'zod';
import { APPROVAL_KINDS } from './approvals.ts';
import { Cost, Tokens } from './usage.ts';

/* What an agent does, in vendor-neutral terms. Every source (hooks of a terminal client, a runner, the native agent) translates what it receives into these events, and the session model folds nothing else about agents. See docs/agent-events.md. The session id and time aren't included: whatever carries the event has them. */

export { MAIN_ACTOR } from './main-actor.ts';

/** Who acts: the main agent, or one of its subagents. */
export const EventActor = z.object({
  id: z.string().describe('`main`, or the id the source gave the subagent'),
  type: z.string().optional().describe('What kind of subagent: `Explore`, `reviewer`'),
  parentId: z.string().optional().describe('The actor that started it, if the source knows. Absent: inferred'),
});
export type EventActor = z.infer<typeof EventActor>;

/** What an event also reveals about its session. Each value holds until another event changes it. */
export const SessionFacts = z.object({
  cwd: z.string().optional().describe('Where the main agent works'),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  title: z.string().optional().describe('What the agent calls the session'),
  transcriptPath: z.string().optional(),
});
export type SessionFacts = z.infer<typeof SessionFacts>;

/** One tool call. Its start, its questions and its end have the same id. */
export const EventCall = z.object({
  id: z
    .string()
    .optional()
    .describe("Absent if the source can't tell which call it means; then the name and input decide"),
  name: z.string(),
  input: z.unknown().optional(),
});
export type EventCall = z.infer<typeof EventCall>;

const common = {
  actor: EventActor,
  turnId: z.string().optional().describe('The same for everything one prompt triggered'),
  facts: SessionFacts.optional(),
};

/** Something the agent started that outlives its turn. */
export const BackgroundWork = z.object({
  kind: z.enum(['subagent', 'other']),
  label: z.string().describe('The type of the subagent, or what runs: a command, a description'),
});
export type BackgroundWork = z.infer<typeof BackgroundWork>;

/** A process that runs the session. */
export const EventProcess = z.object({
  pid: z.number(),
  start: z.string().nullable().describe("The kernel's start time, which tells a reused pid apart"),
});
export type EventProcess = z.infer<typeof EventProcess>;

const Task = z.object({ id: z.string(), title: z.string() });

export const AgentEvent = z.discriminatedUnion('type', [
  // The session
  z.object({
    type: z
      .literal('session.started')
      .describe('A process starts, resumes or clears it. Anything an earlier process did is over'),
    ...common,
    reason: z.string().describe('startup, resume, clear, fork, …'),
  }),
  z.object({ type: z.literal('session.ended'), ...common, reason: z.string() }),

  // Turns: from a prompt until the agent waits for the next one
  z.object({
    type: z
      .literal('turn.started')
      .describe("A prompt was submitted. With the current turn's `turnId`, it joins that turn"),
    ...common,
    prompt: z.string(),
    by: z.enum(['operator', 'agent']).describe('agent: a finished background task or a timer woke it'),
  }),
  z.object({
    type: z.literal('turn.ended'),
    ...common,
    outcome: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('completed') }),
      z.object({ kind: z.literal('interrupted'), reason: z.string().optional() }),
      z.object({ kind: z.literal('failed'), error: z.string(), details: z.unknown().optional() }),
    ]),
    background: z
      .array(BackgroundWork)
      .optional()
      .describe("What is still running. If anything is, the session isn't idle"),
  }),

  // Tool calls
  z.object({ type: z.literal('tool.started'), ...common, call: EventCall }),
  z.object({
    type: z.literal('tool.ended'),
    ...common,
    call: EventCall,
    output: z.unknown().optional(),
    durationMs: z.number().optional(),
  }),
  z.object({
    type: z.literal('tool.failed'),
    ...common,
    call: EventCall,
    error: z.unknown().optional(),
    interrupted: z.boolean().optional().describe('The operator ended it'),
    durationMs: z.number().optional(),
  }),
  z.object({
    type: z
      .literal('tool.denied')
      .describe("It won't run: the agent or a policy refused it without asking the operator"),
    ...common,
    call: EventCall,
    reason: z.string().optional(),
  }),
  z.object({
    type: z.literal('tool.batch_ended').describe('Every call in the turn so far has an outcome; the model is next'),
    ...common,
  }),

  // Questions to the operator
  z.object({
    type: z.literal('ask.raised'),
    ...common,
    kind: z.enum(APPROVAL_KINDS),
    call: EventCall.optional().describe('The pending call. Absent for an elicitation, which belongs to a server'),
    server: z.string().optional().describe('The MCP server that is asking'),
    message: z.string().optional(),
    url: z.string().optional(),
    hasDialog: z.boolean().describe('The agent shows its own dialog, which may be answered without Ground Control'),
  }),
  z.object({
    type: z.literal('ask.settled').describe('The question is answered. The call continues, or ends with its own event'),
    ...common,
    kind: z.enum(APPROVAL_KINDS),
    call: EventCall.optional(),
    server: z.string().optional(),
    decision: z.enum(['allow', 'deny']).optional(),
  }),

  // Subagents: the actor is the subagent itself
  z.object({ type: z.literal('subagent.started'), ...common, description: z.string().optional() }),
  z.object({ type: z.literal('subagent.ended'), ...common }),
  z.object({
    type: z.literal('subagent.idle').describe("It is waiting for more work and hasn't ended"),
    ...common,
    name: z.string().describe('Its name in the team'),
  }),

  // The agent's own task list
  z.object({ type: z.literal('task.created'), ...common, task: Task }),
  z.object({ type: z.literal('task.started'), ...common, task: Task }),
  z.object({ type: z.literal('task.completed'), ...common, task: Task }),

  // Context
  z.object({ type: z.literal('context.compacting'), ...common, trigger: z.enum(['auto', 'manual']).optional() }),
  z.object({
    type: z.literal('context.compacted'),
    ...common,
    trigger: z
      .enum(['auto', 'manual'])
      .optional()
      .describe('auto: during a turn, which continues. manual: requested by the operator. Absent: unknown'),
  }),

  // Messages and usage
  z.object({ type: z.literal('message'), ...common, text: z.string().describe('A complete message from the agent') }),
  z.object({
    type: z
      .literal('usage')
      .describe('What one model request used. Sources with a transcript leave it out, since it is read from there'),
    ...common,
    requestId: z.string().optional().describe('Two events with the same id are one request: the later one counts'),
    model: z.string(),
    tokens: Tokens,
    cost: Cost.nullable().optional(),
    contextTokens: z.number().optional(),
    contextLimit: z.number().optional(),
  }),
  z.object({ type: z.literal('model.changed'), ...common, model: z.string() }),
  z.object({ type: z.literal('cwd.changed'), ...common, cwd: z.string() }),
  z.object({
    type: z
      .literal('notice')
      .describe('Less specific and later than the events above. It never overrides an open question'),
    ...common,
    kind: z
      .enum(['needs_permission', 'needs_input', 'idle', 'other'])
      .describe('other: the agent is alive and nothing else is known. Unknown events become this'),
    message: z.string().optional(),
  }),

  // What we observe without being told: processes, status files
  z.object({
    type: z.literal('process.attached'),
    ...common,
    process: EventProcess,
    version: z.string().optional(),
    entrypoint: z.string().optional().describe('How it was started'),
    status: z.enum(['idle', 'busy', 'waiting']).optional(),
    waitingFor: z.enum(['permission', 'input']).optional(),
  }),
  z.object({
    type: z.literal('process.detached'),
    ...common,
    pid: z.number().nullable().describe('null: none is known for this session'),
  }),
  z.object({
    type: z.literal('process.speaks').describe('The next events come from this process'),
    ...common,
    pid: z.number(),
  }),
  z.object({
    type: z.literal('status.observed').describe("The agent shows a status that its events didn't report"),
    ...common,
    status: z.enum(['idle', 'busy', 'waiting']),
    waitingFor: z.enum(['permission', 'input']).optional(),
    pid: z.number().optional().describe('Which process, if the session has several'),
    answeredBy: z
      .number()
      .optional()
      .describe('Dialogs for calls that started before this were answered at the keyboard'),
    resumed: z.boolean().optional().describe("It is working again, and its events didn't reach us"),
    turnEnded: z.boolean().optional().describe('Its last turn ended normally'),
  }),
  z.object({
    type: z
      .literal('tool.outcomes_missed')
      .describe('These calls ended without an event: they were denied, or nothing was listening'),
    ...common,
    ids: z.array(z.string()),
  }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
