import type { ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import type { EventActor } from '../../contract/agent-events.ts';
import type { Emit } from '../events.ts';
import { type Decide, type Decision, denialText, OPERATOR } from '../permission/decision.ts';
import type { CallContext, Tool, ToolOutput } from '../tools/tool.ts';
import type { Entry } from './conversation.ts';
import type { Gate } from './gate.ts';
import type { LoopGuard } from './loop-guard.ts';
import type { ModelCall } from './read-reply.ts';
import type { RunningCalls } from './running-calls.ts';

export interface CallDeps {
  tools: ReadonlyMap<string, Tool>;
  decide: Decide;
  gate: Gate;
  guard: LoopGuard;
  running: RunningCalls;
  emit: Emit;
  /** Adds the entry to the conversation. Resolves when it is on disk. */
  record: (entry: Entry) => Promise<void>;
  actor: EventActor;
  turnId: string;
  now: () => number;
}

/** The outcome of a call. `endsTurn`: the operator denied it and ended the turn. */
export interface CallEnd {
  result: ToolResultBlockParam;
  endsTurn?: boolean;
}

/**
 * The life of one call: look up, validate, get permission, pass the gate, run, answer. While it waits for the operator it holds nothing.
 * Tool failures never throw; the model gets them as results.
 */
export async function runCall(call: ModelCall, deps: CallDeps, turnSignal: AbortSignal): Promise<CallEnd> {
  const { emit, record, actor, turnId, now } = deps;
  const about = { actor, turnId, call: { id: call.id, name: call.name, input: call.input } };
  // Must be on disk first, so that after a crash we know the call started.
  await record({ type: 'call.started', id: call.id });
  await emit({ type: 'tool.started', ...about });
  const startedAt = now();
  const { control, end } = deps.running.add(call.id, turnSignal);
  const outcome = await attempt(call, deps, control).finally(end);
  // excludes the time spent waiting for the operator
  const durationMs = now() - startedAt - outcome.waitedMs;
  const { output } = outcome;
  if (outcome.kind === 'denied') await emit({ type: 'tool.denied', ...about, reason: textOf(output) });
  else if (output.isError)
    await emit({
      type: 'tool.failed',
      ...about,
      error: textOf(output),
      durationMs,
      ...(control.signal.aborted ? { interrupted: true } : {}),
    });
  else await emit({ type: 'tool.ended', ...about, output: output.content, durationMs });
  const result: ToolResultBlockParam = {
    type: 'tool_result',
    tool_use_id: call.id,
    content: output.content,
    is_error: output.isError === true,
  };
  await record({ type: 'result', result });
  return { result, ...(outcome.kind === 'denied' && outcome.endsTurn ? { endsTurn: true } : {}) };
}

type Outcome = { output: ToolOutput; waitedMs: number } & ({ kind: 'done' } | { kind: 'denied'; endsTurn?: boolean });
type Control = Pick<CallContext, 'signal' | 'background'> & { sendToBackground: () => void };

async function attempt(call: ModelCall, deps: CallDeps, control: Control): Promise<Outcome> {
  let waitedMs = 0;
  const done = (content: string): Outcome => ({ kind: 'done', output: { content, isError: true }, waitedMs });
  if (call.problem !== undefined) return done(call.problem);
  const tool = deps.tools.get(call.name);
  if (!tool) return done(`There is no tool ${call.name}. Tools: ${[...deps.tools.keys()].join(', ')}.`);
  const parsed = tool.input.safeParse(call.input);
  if (!parsed.success) return done(invalid(call.name, parsed.error.issues));

  let { data } = parsed;
  let note = '';
  const askedAt = deps.now();
  const decision = await decideCall(call, tool, data, deps, control.signal);
  waitedMs = deps.now() - askedAt;
  if (decision === 'interrupted') return done('Interrupted by the operator before it ran.');
  if (decision.decision === 'deny')
    return {
      kind: 'denied',
      output: { content: denialText(decision), isError: true },
      waitedMs,
      ...(decision.endsTurn ? { endsTurn: true } : {}),
    };
  if (decision.decision === 'kill') return done('Killed by the operator before it ran.');
  if (decision.decision === 'background') {
    if (!tool.canBackground) return done(`${call.name} cannot run in the background. It did not run.`);
    control.sendToBackground();
  }
  if (decision.decision === 'allow' && decision.updatedInput) {
    const edited = tool.input.safeParse(decision.updatedInput);
    if (!edited.success)
      return done(`Not run: the operator edited the call. ${invalid(call.name, edited.error.issues)}`);
    if (permissionOf(tool, data) === 'permission') note = editedNote(decision.updatedInput);
    data = edited.data;
  }
  return { kind: 'done', output: withNote(note, await run(call, tool, data, deps, control)), waitedMs };
}

async function decideCall(
  call: ModelCall,
  tool: Tool,
  input: Record<string, unknown>,
  { decide, guard, emit, actor, now }: CallDeps,
  signal: AbortSignal,
): Promise<Decision | 'interrupted'> {
  const repeated = guard.check(call);
  const kind = permissionOf(tool, input);
  if (kind === 'none' && repeated === undefined) return { decision: 'allow', by: 'tool' };
  const askedAt = now();
  try {
    // the operator can decide without a preview, and the call itself reports what is wrong
    const preview = await tool.preview?.(input).catch(() => undefined);
    const edits = tool.edits?.(input);
    const decision = await decide(
      {
        id: call.id,
        name: call.name,
        input: call.input,
        actor,
        kind: kind === 'none' || kind === 'confined' ? 'permission' : kind,
        ...(kind === 'confined' ? { isConfined: true } : {}),
        isRead: tool.gate === 'read',
        canBackground: tool.canBackground === true,
        ...(edits ? { edits } : {}),
        ...(preview === undefined ? {} : { preview }),
        ...(repeated === undefined ? {} : { mustAsk: repeated }),
      },
      { signal },
    );
    if (repeated !== undefined && decision.by === OPERATOR) guard.reset();
    const waitedMs = now() - askedAt;
    void emit({ type: 'tool.decided', actor, callId: call.id, decision: decision.decision, by: decision.by, waitedMs });
    return decision;
  } catch (error) {
    if (signal.aborted) return 'interrupted';
    // No decision is possible. Running the call anyway would be worse than stopping.
    return { decision: 'deny', by: 'the host', message: `The permission check failed: ${String(error)}.` };
  }
}

async function run(
  call: ModelCall,
  tool: Tool,
  input: Record<string, unknown>,
  { gate, emit, actor }: CallDeps,
  control: Control,
): Promise<ToolOutput> {
  let leave: (() => void) | undefined;
  try {
    leave = await gate.enter(tool.gate, control.signal);
    void emit({ type: 'tool.running', actor, callId: call.id });
    return await tool.run(input, {
      callId: call.id,
      actor,
      signal: control.signal,
      background: control.background,
      emit,
      output: (stream, text) => void emit({ type: 'tool.output', actor, callId: call.id, stream, text }),
    });
  } catch (error) {
    if (control.signal.aborted) {
      const when = leave ? '. It may have had effects.' : ' before it ran.';
      return { content: `Interrupted by the operator${when}`, isError: true };
    }
    return { content: `${call.name} failed: ${error instanceof Error ? error.message : String(error)}`, isError: true };
  } finally {
    leave?.();
  }
}

function permissionOf(tool: Tool, input: Record<string, unknown>) {
  return typeof tool.permission === 'function' ? tool.permission(input) : tool.permission;
}

function editedNote(input: Record<string, unknown>): string {
  return `The operator edited this call. It ran with: ${JSON.stringify(input)}\n`;
}

function withNote(note: string, output: ToolOutput): ToolOutput {
  if (note === '') return output;
  const content =
    typeof output.content === 'string'
      ? note + output.content
      : [{ type: 'text' as const, text: note }, ...output.content];
  return { ...output, content };
}

function invalid(name: string, issues: readonly { path: PropertyKey[]; message: string }[]): string {
  const list = issues.map(({ path, message }) => `${path.join('.') || 'input'}: ${message}`);
  return `Invalid input for ${name}: ${list.join('; ')}.`;
}

function textOf({ content }: ToolOutput): string {
  if (typeof content === 'string') return content;
  return content.map((block) => (block.type === 'text' ? block.text : '[image]')).join('\n');
}
