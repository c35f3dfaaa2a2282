import { randomUUID } from 'node:crypto';
import { AgentError } from '../../agent/errors.ts';
import { type Emit, isAgentEvent, type LoopEvent } from '../../agent/events.ts';
import type { TurnOutcome } from '../../agent/loop/run-turn.ts';
import type { Spending } from '../../agent/loop/spending.ts';
import { toTokens } from '../../agent/loop/usage.ts';
import { PERMISSION_MODES, type PermissionMode, withMode } from '../../agent/permission/context.ts';
import { McpServers } from '../../agent/tools/mcp.ts';
import { type AgentEvent, type BackgroundWork, MAIN_ACTOR } from '../../contract/agent-events.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { Prices } from '../../daemon/transcripts/prices/prices.ts';
import type { DriverHost, HostedAgent, PromptGiven, RewindOutcome } from '../driver.ts';
import { DeltaStream } from './delta-stream.ts';
import { askOperator, askRules } from './host-asks.ts';
import { type NativeOptions, type NativeSession, openNativeSession } from './native-session.ts';
import { ShellControl } from './shell-control.ts';
import { WatchShells } from './watch-shells.ts';

export interface NativeAgentOptions {
  env: NodeJS.ProcessEnv;
  prices: Prices;
  version: string;
  /** Command-line options of a session that was started in a terminal. */
  given?: Partial<NativeOptions>;
  /** A terminal that shows the session, or a script that prints it. */
  onEvent?: (event: LoopEvent) => void;
  /** Why the operator can't be asked right now. */
  nobodyThere?: () => string | undefined;
}

const DEFAULT_MODEL = 'claude-sonnet-5-5';

/** The built-in agent in a runner: its events go to the daemon, and the operator answers through it. */
export class NativeAgent implements HostedAgent {
  readonly ended: Promise<void>;
  readonly session: NativeSession;
  readonly shells: ShellControl;
  readonly watching: WatchShells;
  readonly #host: DriverHost;
  #end: () => void = () => undefined;
  #turn: Promise<unknown> | null = null;
  #isClosing = false;

  constructor(host: DriverHost, session: NativeSession) {
    this.#host = host;
    this.session = session;
    this.shells = new ShellControl(session);
    this.watching = new WatchShells(session.shells, (change) => host.shellsChanged(change));
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
  }

  async prompt({ text }: PromptGiven): Promise<void> {
    if (this.#isClosing) throw new Error('The session is ending.');
    void this.run(text);
  }

  /** The outcome of the turn that the prompt starts or joins. */
  run(text: string): Promise<TurnOutcome> {
    const { agent } = this.session;
    if (agent.isBusy) return agent.prompt(text);
    this.#host.onBusy();
    this.#host.budget.startWork();
    const turn = agent.prompt(text).then((outcome) => {
      this.#finish(outcome);
      return outcome;
    });
    this.#turn = turn.catch((error: Error) => {
      this.#finish({ kind: 'failed', code: 'api', error: error.message });
    });
    return turn;
  }

  async interrupt(): Promise<void> {
    this.session.agent.interrupt();
    await this.#turn;
  }

  async settings({ model, permissionMode }: Parameters<HostedAgent['settings']>[0]): Promise<void> {
    if (model !== undefined) await this.session.agent.setModel(model);
    if (permissionMode !== undefined)
      this.session.asks.context = withMode(this.session.asks.context, toMode(permissionMode));
  }

  async rewindFiles(): Promise<RewindOutcome> {
    return { filesChanged: [], insertions: null, deletions: null, error: 'The built-in agent keeps no checkpoints.' };
  }

  async background(toolUseId: string): Promise<boolean> {
    this.session.agent.running.background(toolUseId);
    return true;
  }

  /** Returns the pids of processes that survived, normally none. */
  async close(): Promise<number[]> {
    this.#isClosing = true;
    this.session.agent.interrupt();
    await this.#turn;
    const left = await this.session.close();
    this.watching.close();
    this.#end();
    return left;
  }

  /** The last shell ended while nothing else was running. */
  shellEnded(): void {
    if (this.#turn || this.#isClosing) return;
    const outcome = { kind: 'completed' as const };
    const background = runningShells(this.session);
    this.#host.report({
      kind: 'agent',
      event: {
        type: 'turn.ended',
        actor: { id: MAIN_ACTOR },
        outcome,
        ...(background.length > 0 ? { background } : {}),
      },
    });
    if (background.length === 0) this.#host.onIdle();
  }

  #finish(outcome: TurnOutcome): void {
    this.#turn = null;
    const { budget } = this.#host;
    budget.pauseWork();
    this.#host.report({ kind: 'spent', ...budget.spent });
    this.#host.report({
      kind: 'result',
      result: {
        text: outcome.kind === 'completed' ? outcome.text : null,
        error: outcome.kind === 'failed' ? outcome.error : null,
        interrupted: outcome.kind === 'interrupted',
        problems: [],
        turns: this.session.agent.stats.requests,
        background: false,
      },
    });
    if (runningShells(this.session).length === 0) this.#host.onIdle();
  }
}

export async function startNative(host: DriverHost, options: NativeAgentOptions): Promise<NativeAgent> {
  const { spec } = host;
  const deltas = new DeltaStream((delta) => host.delta(delta));
  let native: NativeAgent | undefined;
  const emit: Emit = (event) => {
    forward(event, host, native);
    deltas.take(event);
    options.onEvent?.(event);
    native?.watching.take(event);
    if (event.type === 'shell.ended') native?.shellEnded();
  };
  const session = await openNativeSession(optionsOf(host, options), {
    emit,
    nobodyThere: options.nobodyThere ?? (() => undefined),
    precheck: askRules(host),
    askElsewhere: askOperator(host),
    spending: spendingOf(host, options.prices),
  });
  native = new NativeAgent(host, session);
  for (const problem of session.problems)
    options.onEvent?.({ type: 'notice', ...ABOUT, kind: 'other', message: problem });
  host.report({ kind: 'agent', event: started(spec, session) });
  host.report({ kind: 'ready', version: options.version, client: null });
  return native;
}

const ABOUT = { actor: { id: MAIN_ACTOR } };

function optionsOf({ spec }: DriverHost, { env, prices, version, given = {} }: NativeAgentOptions): NativeOptions {
  const apiKey = given.apiKey ?? (env.ANTHROPIC_API_KEY || env.ANTHROPIC_AUTH_TOKEN);
  if (!apiKey)
    throw new AgentError(
      'agent.no_key',
      'The built-in agent needs an API key: start the daemon with ANTHROPIC_API_KEY set.',
    );
  const baseUrl = given.baseUrl ?? env.ANTHROPIC_BASE_URL;
  const mode = toMode(spec.permissionMode ?? 'default');
  return {
    start: startOf(spec),
    version,
    apiKey,
    ...(baseUrl ? { baseUrl } : {}),
    model: spec.model ?? (env.ANTHROPIC_MODEL || DEFAULT_MODEL),
    dataDir: spec.dataDir,
    permission: { mode, isBypassPermissionsModeAvailable: mode === 'bypassPermissions' },
    hosts: [],
    mcpServers: McpServers.parse(spec.mcpServers),
    ...(spec.systemPrompt === undefined ? {} : { systemPrompt: spec.systemPrompt }),
    ...(spec.tools === undefined ? {} : { tools: spec.tools }),
    deniedTools: spec.deniedTools,
    prices,
    ...given,
  };
}

function startOf({ start, sessionId, cwd }: RunnerSpec): NativeOptions['start'] {
  if (start.how === 'fork') return { how: 'fork', from: start.from, sessionId, atMessage: start.atMessage };
  if (start.how === 'new') return { how: 'new', sessionId, cwd };
  if (start.atMessage !== undefined)
    throw new AgentError(
      'agent.no_rewind',
      "The built-in agent can't rewind a session. Fork it at that message instead.",
    );
  return { how: 'resume', sessionId };
}

/** `auto` lets a model decide instead of the operator. The built-in agent has no such model, so it asks. */
function toMode(mode: string): PermissionMode {
  return PERMISSION_MODES.find((one) => one === mode) ?? 'default';
}

function started({ start, permissionMode }: RunnerSpec, session: NativeSession): AgentEvent {
  const { cwd, agent, transcriptPath } = session;
  const reason = { new: 'startup', resume: 'resume', fork: 'fork' }[start.how];
  const facts = { cwd, model: agent.model, permissionMode: permissionMode ?? 'default', transcriptPath };
  return { type: 'session.started', ...ABOUT, reason, facts };
}

/** Only AgentEvents go to the journal. The usage of a request is in the transcript. */
function forward(event: LoopEvent, host: DriverHost, native: NativeAgent | undefined): void {
  if (event.type === 'request.retrying') {
    const { why, waitMs } = event;
    host.report({ kind: 'retrying', why, until: Date.now() + waitMs, limit: null });
    return;
  }
  if (!isAgentEvent(event) || event.type === 'usage') return;
  const background = event.type === 'turn.ended' && native ? runningShells(native.session) : [];
  host.report({ kind: 'agent', event: background.length > 0 ? ({ ...event, background } as AgentEvent) : event });
}

function runningShells({ shells }: NativeSession): BackgroundWork[] {
  const running = shells.list().filter(({ state }) => state === 'running');
  return running.map(({ command }) => ({ kind: 'other' as const, label: command.slice(0, 200) }));
}

function spendingOf({ budget, report }: DriverHost, prices: Prices): Spending {
  return {
    admits: (signal) => budget.admits(signal),
    spend(model, usage) {
      const cost = prices.costOf(model, toTokens(usage)) ?? undefined;
      const tokens = usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
      budget.spend({ id: randomUUID(), dollars: cost?.totalUsd ?? null, tokens });
      report({ kind: 'spent', ...budget.spent });
      return cost;
    },
  };
}
