import type { HookPayload } from './hook-payload.ts';
import { type Random, seededRandom } from './random.ts';
import { HOME_OF_NOBODY, sampleTool, type ToolCall } from './sample-tools.ts';

export interface SimulatedSession {
  seed: number;
  id: string;
  cwd: string;
}

interface Context {
  random: Random;
  event(name: string, fields?: object): HookPayload;
  /** The acting subagent, as the client marks it; empty for the main agent. */
  actor: { agent_id?: string; agent_type?: string };
}

type Hooks = Generator<HookPayload>;

/** The life of a session as the real client would post it: a start, some very different turns, an end. */
export function* simulateSession({ seed, id, cwd }: SimulatedSession): Hooks {
  const random = seededRandom(seed);
  const transcript_path = `${HOME_OF_NOBODY}/.claude/projects/${cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')}/${id}.jsonl`;
  const main: Context = {
    random,
    actor: {},
    event: (name, fields) => ({ session_id: id, transcript_path, cwd, hook_event_name: name, ...fields }),
  };
  yield main.event('SessionStart', { source: 'startup', model: 'claude-opus-5-5' });
  const turns = random.integer(2, 8);
  for (let turn = 0; turn < turns; turn += 1) {
    yield* simulateTurn(main);
    if (random.chance(0.1)) yield* compaction(main);
    if (random.chance(0.15)) yield notification(main, 'idle_prompt', 'Claude is waiting for your input');
  }
  yield main.event('SessionEnd', { reason: random.pick(['prompt_input_exit', 'other', 'clear']) });
}

function* simulateTurn(main: Context): Hooks {
  const { random } = main;
  const prompt = random.pick([
    'Fix the failing test',
    'Explain this module',
    'Add a flag to the CLI',
    'Now refactor it',
  ]);
  const inTurn = withFields(main, {
    prompt_id: random.uuid(),
    permission_mode: 'default',
    effort: { level: 'medium' },
  });
  yield inTurn.event('UserPromptSubmit', { prompt });
  const batches = random.integer(0, 5);
  for (let batch = 0; batch < batches; batch += 1) yield* toolBatch(inTurn);
  if (random.chance(0.15)) return yield* delegation(inTurn);
  if (random.chance(0.05)) return yield inTurn.event('StopFailure', { error: 'server_error' });
  yield stop(inTurn, []);
}

/** The tool calls of one assistant message, which the client runs in order. */
function* toolBatch(context: Context): Hooks {
  const calls = Array.from({ length: context.random.chance(0.2) ? 3 : 1 }, () => sampleTool(context.random));
  for (const call of calls) yield* toolCall(context, call);
  yield context.event('PostToolBatch', {
    ...context.actor,
    tool_calls: calls.map(({ name, input, id, result }) => ({
      tool_name: name,
      tool_input: input,
      tool_use_id: id,
      tool_response: JSON.stringify(result),
    })),
  });
}

function* toolCall(context: Context, { name, input, id, asks, result }: ToolCall): Hooks {
  const { random, actor } = context;
  const tool = { ...actor, tool_name: name, tool_input: input };
  yield context.event('PreToolUse', { ...tool, tool_use_id: id });
  if (asks) {
    // the client sends no tool_use_id here
    yield context.event('PermissionRequest', { ...tool, permission_suggestions: [] });
    if (random.chance(0.4)) yield notification(context, 'permission_prompt', 'Claude needs your permission');
    // denied with feedback: only the batch event shows it
    if (random.chance(0.15)) return;
  }
  const duration_ms = random.integer(1, 4000);
  if (name === 'Bash' && random.chance(0.15)) {
    const error = 'Exit code 1\n1 test failed';
    yield context.event('PostToolUseFailure', { ...tool, tool_use_id: id, error, is_interrupt: false, duration_ms });
    return;
  }
  yield context.event('PostToolUse', { ...tool, tool_use_id: id, tool_response: result, duration_ms });
}

/** A subagent in the background: the main agent stops first, and is woken when the subagent is done. */
function* delegation(main: Context): Hooks {
  const { random } = main;
  const agent = { agent_id: `a${random.hex(16)}`, agent_type: 'general-purpose' };
  const input = { description: 'Look around', prompt: 'Find every caller', subagent_type: agent.agent_type };
  const tool = { tool_name: 'Agent', tool_input: input, tool_use_id: `toolu_${random.hex(24)}` };
  const running = [{ id: agent.agent_id, type: 'subagent', status: 'running', ...input, agent_type: agent.agent_type }];
  const response = { isAsync: true, status: 'async_launched', agentId: agent.agent_id, description: input.description };

  yield main.event('PreToolUse', tool);
  yield main.event('SubagentStart', agent);
  yield main.event('PostToolUse', { ...tool, tool_response: response, duration_ms: 20 });
  yield main.event('PostToolBatch', { tool_calls: [{ ...tool, tool_response: 'Async agent launched successfully.' }] });
  const inside: Context = { ...main, actor: agent };
  const batches = random.integer(1, 4);
  const mainStopsAfter = random.integer(0, batches - 1);
  for (let batch = 0; batch < batches; batch += 1) {
    yield* toolBatch(inside);
    if (batch === mainStopsAfter) yield stop(main, running);
  }
  yield main.event('SubagentStop', {
    ...agent,
    stop_hook_active: false,
    last_assistant_message: 'Found three callers.',
    background_tasks: running,
    session_crons: [],
  });
  const prompt = `<task-notification>\n<task-id>${agent.agent_id}</task-id>\n</task-notification>`;
  yield main.event('UserPromptSubmit', { prompt });
  yield stop(main, []);
}

function* compaction(main: Context): Hooks {
  yield main.event('PreCompact', { trigger: 'manual', custom_instructions: null });
  // the summary is written by an unnamed agent without a start event
  yield main.event('SubagentStop', {
    agent_id: `a${main.random.hex(16)}`,
    agent_type: '',
    stop_hook_active: false,
    background_tasks: [],
    session_crons: [],
  });
  yield main.event('SessionStart', { source: 'compact', model: 'claude-opus-5-5' });
  yield main.event('PostCompact', { trigger: 'manual', compact_summary: 'They fixed a test.' });
}

function stop(context: Context, background_tasks: object[]): HookPayload {
  const last_assistant_message = 'All done: the tests pass again.';
  return context.event('Stop', {
    stop_hook_active: false,
    last_assistant_message,
    background_tasks,
    session_crons: [],
  });
}

function notification(context: Context, notification_type: string, message: string): HookPayload {
  return context.event('Notification', { message, notification_type });
}

function withFields(context: Context, common: object): Context {
  return { ...context, event: (name, fields) => context.event(name, { ...common, ...fields }) };
}
