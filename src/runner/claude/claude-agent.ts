import { type Options, type Query, query, type SDKMessage } from '@anthropic-ai/claude-agent-sdk';
import type { AgentEvent } from '../../contract/agent-events.ts';
import { MAIN_ACTOR } from '../../contract/main-actor.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { DriverHost, HostedAgent, PromptGiven, RewindOutcome } from '../driver.ts';
import { SessionFiles } from '../session-files.ts';
import { clientEnv } from './client-command.ts';
import { type Costs, type RequestUsage, UsageMeter, usageOf } from './costs.ts';
import { Deltas } from './deltas.ts';
import { InputStream } from './input-stream.ts';
import { canUseTool, onElicitation } from './permissions.ts';
import { clientHooks } from './report-hooks.ts';
import { resultOf, retryOf } from './results.ts';
import { type ClientAhead, spawnClient } from './spawn-client.ts';

export interface ClaudeAgentOptions {
  costs: Costs;
  env: NodeJS.ProcessEnv;
  log: (text: string) => void;
}

/** What it takes to start the client. */
export interface ClientStart extends Pick<ClaudeAgentOptions, 'env' | 'log'> {
  ahead?: ClientAhead | undefined;
}

/** Claude Code, hosted through the Agent SDK: one process, one conversation, prompts as they arrive. */
export class ClaudeAgent implements HostedAgent {
  readonly ended: Promise<void>;
  readonly #host: DriverHost;
  readonly #options: ClaudeAgentOptions;
  readonly #input: InputStream;
  readonly #files: SessionFiles | undefined;
  readonly #deltas: Deltas;
  readonly #meter = new UsageMeter();
  readonly #query: Query;
  /** The client's last report of its background tasks. */
  #background = 0;
  #isInterrupted = false;
  #isClosing = false;
  #answers = 0;

  constructor(
    host: DriverHost,
    options: ClaudeAgentOptions,
    { input, query: running }: { input: InputStream; query: Query },
  ) {
    this.#host = host;
    this.#input = input;
    this.#options = options;
    const { sessionFiles, cwd, sessionId } = host.spec;
    this.#files = sessionFiles ? new SessionFiles({ ...sessionFiles, cwd, sessionId }) : undefined;
    this.#deltas = new Deltas((delta) => host.delta(delta));
    this.#files?.begin({ isResumed: host.spec.start.how === 'resume' });
    host.report({ kind: 'agent', event: startedEvent(host.spec) });
    this.#query = running;
    this.ended = this.#read();
  }

  async prompt({ text }: PromptGiven): Promise<void> {
    if (this.#isClosing) throw new Error('The session is ending.');
    this.#isInterrupted = false;
    this.#host.onBusy();
    this.#host.budget.startWork();
    this.#files?.message({ type: 'user', message: { role: 'user', content: text } });
    this.#input.push(text);
  }

  async interrupt(): Promise<void> {
    this.#isInterrupted = true;
    await this.#query.interrupt();
  }

  async settings({ model, permissionMode }: Parameters<HostedAgent['settings']>[0]): Promise<void> {
    if (model !== undefined) await this.#query.setModel(model);
    if (permissionMode !== undefined) await this.#query.setPermissionMode(permissionMode);
  }

  async rewindFiles(messageId: string, { dryRun }: { dryRun: boolean }): Promise<RewindOutcome> {
    const {
      canRewind,
      error,
      filesChanged = [],
      insertions,
      deletions,
    } = await this.#query.rewindFiles(messageId, {
      dryRun,
    });
    return {
      filesChanged,
      insertions: insertions ?? null,
      deletions: deletions ?? null,
      error: canRewind ? null : (error ?? 'There is no checkpoint of its files at that message.'),
    };
  }

  background(toolUseId: string): Promise<boolean> {
    return this.#query.backgroundTasks(toolUseId);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#input.end();
    // gives the client two seconds to exit, then kills it
    this.#query.close();
    await this.ended.catch(() => undefined);
  }

  async #read(): Promise<void> {
    try {
      for await (const message of this.#query) this.#take(message);
    } catch (error) {
      // an error arrives as a result first and is then thrown as well
      if (!this.#isClosing && this.#answers === 0) throw error;
      this.#options.log(`The client ended: ${(error as Error).message}`);
    } finally {
      this.#deltas.flush();
      this.#files?.end();
    }
  }

  #take(message: SDKMessage): void {
    if (message.type === 'stream_event') {
      this.#deltas.take(message);
      this.#spend(this.#meter.take(message));
      return;
    }
    this.#files?.message(message);
    const retry = retryOf(message);
    if (retry) this.#host.report({ kind: 'retrying', ...retry });
    if (message.type === 'assistant') this.#count(message);
    else if (message.type === 'system') this.#system(message);
    else if (message.type === 'result') this.#finish(message);
  }

  #system(message: Extract<SDKMessage, { type: 'system' }>): void {
    if (message.subtype === 'init') {
      this.#files?.ready(message.session_id);
      this.#host.report({ kind: 'ready', version: message.claude_code_version ?? null, client: null });
    }
    if (message.subtype === 'background_tasks_changed') this.#background = message.tasks.length;
  }

  #count(message: Extract<SDKMessage, { type: 'assistant' }>): void {
    this.#deltas.flush();
    this.#spend(usageOf(message));
  }

  #spend(usage: RequestUsage | undefined): void {
    const spent = this.#options.costs.take(usage);
    if (!spent) return;
    this.#host.budget.spend(spent);
    this.#reportSpent();
  }

  #reportSpent(): void {
    this.#host.report({ kind: 'spent', ...this.#host.budget.spent });
  }

  #finish(message: Extract<SDKMessage, { type: 'result' }>): void {
    this.#answers++;
    const background = this.#background > 0 && message.subtype === 'success';
    const result = resultOf(message, { interrupted: this.#isInterrupted, background });
    if (result.interrupted) {
      // the client has no hook for the end of an interrupted turn
      const outcome = { kind: 'interrupted' as const, reason: 'Stopped from Ground Control' };
      this.#host.report({ kind: 'agent', event: { type: 'turn.ended', actor: { id: MAIN_ACTOR }, outcome } });
    }
    this.#host.budget.pauseWork();
    this.#reportSpent();
    this.#host.report({ kind: 'result', result });
    if (!background) this.#host.onIdle();
  }
}

/** The SDK options, without the prompt. */
export function sdkOptions(host: DriverHost, { env, log, ahead }: ClientStart): Options {
  const { spec } = host;
  const { model, permissionMode, systemPrompt, tools, deniedTools, mcpServers, claude } = spec;
  return {
    cwd: spec.cwd,
    env: clientEnv(env, spec),
    ...startOf(spec),
    ...(claude === null ? {} : { pathToClaudeCodeExecutable: claude }),
    ...(model === undefined ? {} : { model }),
    ...(permissionMode === undefined ? {} : { permissionMode }),
    ...(permissionMode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
    ...(tools === undefined ? {} : { tools }),
    systemPrompt: { type: 'preset', preset: 'claude_code', ...(systemPrompt ? { append: systemPrompt } : {}) },
    disallowedTools: deniedTools,
    mcpServers: mcpServers as NonNullable<Options['mcpServers']>,
    enableFileCheckpointing: true,
    includePartialMessages: true,
    canUseTool: canUseTool(host),
    onElicitation: onElicitation(host),
    hooks: clientHooks(host),
    stderr: (data) => log(data.trimEnd()),
    spawnClaudeCodeProcess: spawnClient((process) => host.noteProcess(process), ahead),
  };
}

function startOf({ start, sessionId }: RunnerSpec): Partial<Options> {
  switch (start.how) {
    case 'new':
      return { sessionId };
    case 'resume':
      return { resume: sessionId, ...(start.atMessage ? { resumeSessionAt: start.atMessage } : {}) };
    case 'fork':
      return {
        resume: start.from,
        forkSession: true,
        sessionId,
        ...(start.atMessage ? { resumeSessionAt: start.atMessage } : {}),
      };
  }
}

/** Reported by us, because the SDK doesn't pass the client's own start event on. */
function startedEvent({ start, cwd, model, permissionMode }: RunnerSpec): AgentEvent {
  const facts = { cwd, ...(model ? { model } : {}), ...(permissionMode ? { permissionMode } : {}) };
  const reason = start.how === 'new' ? 'startup' : start.how;
  return { type: 'session.started', actor: { id: MAIN_ACTOR }, reason, facts };
}

/** A new process for a session. */
export function startQuery(host: DriverHost, options: ClientStart) {
  const input = new InputStream();
  return { input, query: query({ prompt: input, options: sdkOptions(host, options) }) };
}

export const startClaude = (host: DriverHost, options: ClaudeAgentOptions): ClaudeAgent =>
  new ClaudeAgent(host, options, startQuery(host, options));
