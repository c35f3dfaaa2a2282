import { z } from 'zod';
import { APPROVAL_KINDS } from './approvals.ts';
import { Cost, Tokens } from './usage.ts';

/*
 * What an agent does, in words that belong to no agent. Every source (hooks of a terminal client, a runner, the native agent) translates
 * what it hears into these events, and the session model folds nothing else about agents. See docs/agent-events.md.
 *
 * The session id and the time are not in here: whatever carries the event has them.
 */

export const MAIN_ACTOR = 'main';

/** Who acts: the main agent, or one of its subagents. */
export const EventActor = z.object({
  id: z.string().describe('`main`, or the id the source gave the subagent'),
  type: z.string().optional().describe('What kind of subagent: `Explore`, `reviewer`'),
  parentId: z.string().optional().describe('The actor that started it, if the source knows. Absent: inferred'),
});
export type EventActor = z.infer<typeof EventActor>;

/** What an event also reveals about its session. Each value holds until another event says otherwise. */
export const SessionFacts = z.object({
  cwd: z.string().optional().describe('Where the main agent works'),
  model: z.string().optional(),
  permissionMode: z.string().optional(),
  title: z.string().optional().describe('What the agent calls the session'),
  transcriptPath: z.string().optional(),
});
export type SessionFacts = z.infer<typeof SessionFacts>;

/** One tool call. Its start, its questions and its end carry the same id. */
export const EventCall = z.object({
  id: z
    .string()
    .optional()
    .describe('Absent where the source cannot say which call it means: the name and the input decide'),
  name: z.string(),
  input: z.unknown().optional(),
});
export type EventCall = z.infer<typeof EventCall>;

const common = {
  actor: EventActor,
  turnId: z.string().optional().describe('The same for everything that one prompt set off'),
  facts: SessionFacts.optional(),
};

/** Something that the agent started and that outlives its turn. */
export const BackgroundWork = z.object({
  kind: z.enum(['subagent', 'other']),
  label: z.string().describe('The type of the subagent, or what runs: a command, a description'),
});
export type BackgroundWork = z.infer<typeof BackgroundWork>;

/** A process that runs the session. */
export const EventProcess = z.object({
  pid: z.number(),
  start: z.string().nullable().describe('The start time the kernel gives: a reused pid has another one'),
});
export type EventProcess = z.infer<typeof EventProcess>;

const Task = z.object({ id: z.string(), title: z.string() });

export const AgentEvent = z.discriminatedUnion('type', [
  // The session
  z.object({
    type: z
      .literal('session.started')
      .describe('A process starts, resumes or clears it. Anything an earlier one did is over'),
    ...common,
    reason: z.string().describe('startup, resume, clear, fork, …'),
  }),
  z.object({ type: z.literal('session.ended'), ...common, reason: z.string() }),

  // Turns: from a prompt until the agent waits for the next one
  z.object({
    type: z
      .literal('turn.started')
      .describe('A prompt was submitted. With the `turnId` of the turn under way it joins that turn'),
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
    background: z.array(BackgroundWork).optional().describe('What still runs: with any, the session is not idle'),
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
      .describe('It will not run: its agent or a policy refused it without asking the operator'),
    ...common,
    call: EventCall,
    reason: z.string().optional(),
  }),
  z.object({
    type: z.literal('tool.batch_ended').describe('Every call of the turn so far has an outcome; the model is next'),
    ...common,
  }),

  // Questions to the operator
  z.object({
    type: z.literal('ask.raised'),
    ...common,
    kind: z.enum(APPROVAL_KINDS),
    call: EventCall.optional().describe('The call that waits. Absent for an elicitation, which belongs to a server'),
    server: z.string().optional().describe('The MCP server that asks'),
    message: z.string().optional(),
    url: z.string().optional(),
    hasDialog: z.boolean().describe('The agent shows a dialog of its own, which may be answered without us'),
  }),
  z.object({
    type: z
      .literal('ask.settled')
      .describe('The question has its answer. The call that asked goes on, or ends with its own event'),
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
    type: z.literal('subagent.idle').describe('It waits for more work and has not ended'),
    ...common,
    name: z.string().describe('What its team calls it'),
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
      .describe('auto: inside a turn, which goes on. manual: the operator asked, and it is over. Absent: not known'),
  }),

  // What it says and what it costs
  z.object({ type: z.literal('message'), ...common, text: z.string().describe('A whole message of the agent') }),
  z.object({
    type: z
      .literal('usage')
      .describe('What one model request used. Sources with a transcript leave it out: it is read there'),
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
      .describe('Says less than the events above, and later. It never overrides a question that is open'),
    ...common,
    kind: z
      .enum(['needs_permission', 'needs_input', 'idle', 'other'])
      .describe('other: it is alive, and nothing else is known. An event that nobody knows is such a notice'),
    message: z.string().optional(),
  }),

  // What we see without being told: processes, status files
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
    pid: z.number().nullable().describe('null: the session has none that we know'),
  }),
  z.object({
    type: z.literal('process.speaks').describe('The next events come from this process'),
    ...common,
    pid: z.number(),
  }),
  z.object({
    type: z.literal('status.observed').describe('The agent shows a status that its events have not told'),
    ...common,
    status: z.enum(['idle', 'busy', 'waiting']),
    waitingFor: z.enum(['permission', 'input']).optional(),
    pid: z.number().optional().describe('Of several processes on the session, the one it is about'),
    answeredBy: z.number().optional().describe('Dialogs of calls that began by then were answered at the keyboard'),
    resumed: z.boolean().optional().describe('It works again, and its events did not reach us'),
    turnEnded: z.boolean().optional().describe('Its last turn ended by itself'),
  }),
  z.object({
    type: z
      .literal('tool.outcomes_missed')
      .describe('These calls ended, and the agent did not say so: it was denied, or nobody listened'),
    ...common,
    ids: z.array(z.string()),
  }),
]);
export type AgentEvent = z.infer<typeof AgentEvent>;
