import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { type EventActor, MAIN_ACTOR } from '../contract/agent-events.ts';
import { AgentError } from './errors.ts';
import type { Emit, LoopEvent } from './events.ts';
import { Conversation, type Entry } from './loop/conversation.ts';
import { Gate } from './loop/gate.ts';
import { openingBlocks } from './loop/instructions.ts';
import { DEFAULT_RETRIES, type RetryPolicy } from './loop/retry.ts';
import { compactNow, runTurn, type TurnDeps, type TurnOutcome } from './loop/run-turn.ts';
import { RunningCalls } from './loop/running-calls.ts';
import type { Spending } from './loop/spending.ts';
import type { StreamModel } from './model/anthropic.ts';
import { type ModelSettings, toApiTool } from './model/request.ts';
import type { Decide } from './permission/decision.ts';
import { countEvent, type Stats, startStats } from './stats.ts';
import { SUBAGENT_PROMPT, SYSTEM_PROMPT } from './system-prompt.ts';
import { type SubagentRun, taskTool } from './tools/task.ts';
import type { Tool } from './tools/tool.ts';

export interface AgentOptions {
  cwd: string;
  stream: StreamModel;
  settings: ModelSettings;
  contextWindow: (model: string) => number;
  tools: readonly Tool[];
  decide: Decide;
  emit: Emit;
  budget: Spending;
  /** The state an earlier process left behind. The session continues from there. */
  entries?: Iterable<Entry>;
  maxTurns?: number;
  /** Whether it may give tasks to subagents. Default: yes. */
  hasSubagents?: boolean;
  /** Appended to our own prompt. Fixed for the life of the session. */
  systemPrompt?: string;
  retry?: RetryPolicy;
  now?: () => number;
  random?: () => number;
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const MAX_TURNS = 200;
const SUBAGENT_TURNS = 30;

/** One session: a conversation, its running turn, and the operator's controls. */
export class Agent {
  readonly running = new RunningCalls();
  readonly stats: Stats = startStats();
  readonly #options: AgentOptions;
  readonly #conversation: Conversation;
  readonly #gate = new Gate();
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #meter = { contextTokens: 0 };
  readonly #queued: string[] = [];
  #settings: ModelSettings;
  #abort: AbortController | null = null;
  #turn: Promise<TurnOutcome> | null = null;
  #compaction: Promise<void> | null = null;

  constructor(options: AgentOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#conversation = new Conversation(options.entries);
    const { tools, hasSubagents = true } = options;
    const task = hasSubagents ? [taskTool((run) => this.#runSubagent(run))] : [];
    this.#tools = new Map([...tools, ...task].map((tool) => [tool.name, tool]));
  }

  get isBusy(): boolean {
    return this.#turn !== null;
  }

  get model(): string {
    return this.#settings.model;
  }

  /** Starts a turn. While one runs, the prompt joins it with the next request, and both callers get that turn's outcome. */
  prompt(text: string): Promise<TurnOutcome> {
    if (this.#turn) {
      this.#queued.push(text);
      return this.#turn;
    }
    this.#turn = this.#runTurns(text).finally(() => {
      this.#turn = null;
    });
    return this.#turn;
  }

  /** Ends the turn immediately, whatever it is doing. The conversation stays valid and the next prompt continues it. */
  interrupt(): void {
    this.#queued.length = 0;
    this.#abort?.abort(new Error('Interrupted by the operator'));
  }

  async compact(): Promise<void> {
    if (this.#turn) throw new AgentError('agent.busy', 'A turn is running. Compact when it has ended.');
    if (this.#compaction) return this.#compaction;
    if (this.#conversation.isEmpty) return;
    this.#compaction = this.#compactNow().finally(() => {
      this.#compaction = null;
    });
    return this.#compaction;
  }

  async #compactNow(): Promise<void> {
    await this.#repair();
    await compactNow(this.#mainDeps(randomUUID()), this.#newSignal());
  }

  async setModel(model: string): Promise<void> {
    this.#settings = { ...this.#settings, model };
    await this.#emit({ type: 'model.changed', actor: { id: MAIN_ACTOR }, model });
  }

  readonly #emit: Emit = (event: LoopEvent) => {
    countEvent(this.stats, event);
    return this.#options.emit(event);
  };

  async #runTurns(first: string): Promise<TurnOutcome> {
    // the summary replaces the conversation: what is added meanwhile would be lost
    await this.#compaction?.catch(() => undefined);
    await this.#repair();
    let text: string | undefined = first;
    for (;;) {
      const outcome = await this.#runOne(text);
      // arrived too late for any request in that turn
      text = this.#queued.shift();
      if (text === undefined) return outcome;
    }
  }

  async #runOne(text: string): Promise<TurnOutcome> {
    const actor = { id: MAIN_ACTOR };
    const turnId = randomUUID();
    const signal = this.#newSignal();
    const opening = this.#conversation.isEmpty ? await this.#opening() : [];
    await this.#emit({ type: 'turn.started', actor, turnId, prompt: text, by: 'operator' });
    const outcome = await runTurn(this.#mainDeps(turnId), [...opening, { type: 'text', text }], signal);
    await this.#emit({ type: 'turn.ended', actor, turnId, outcome: toEventOutcome(outcome) });
    return outcome;
  }

  #newSignal(): AbortSignal {
    const abort = new AbortController();
    // every call in the turn adds a listener
    setMaxListeners(0, abort.signal);
    this.#abort = abort;
    return abort.signal;
  }

  /** Settles whatever a killed process left open, before anything new is added. */
  async #repair(): Promise<void> {
    for (const entry of this.#conversation.repairs()) {
      this.#conversation.apply(entry);
      await this.#emit({ type: 'entry', actor: { id: MAIN_ACTOR }, entry });
    }
  }

  #mainDeps(turnId: string): TurnDeps {
    return this.#deps({
      turnId,
      actor: { id: MAIN_ACTOR },
      conversation: this.#conversation,
      system: withExtra(SYSTEM_PROMPT, this.#options.systemPrompt),
      tools: this.#tools,
      meter: this.#meter,
      maxTurns: this.#options.maxTurns ?? MAX_TURNS,
      takeQueued: () => this.#queued.splice(0),
    });
  }

  #deps(
    own: Pick<TurnDeps, 'turnId' | 'actor' | 'conversation' | 'system' | 'tools' | 'meter' | 'maxTurns' | 'takeQueued'>,
  ): TurnDeps {
    const { stream, decide, retry, contextWindow, now, random, sleep } = this.#options;
    return {
      ...own,
      stream,
      decide,
      settings: () => this.#settings,
      contextWindow: () => contextWindow(this.#settings.model),
      apiTools: [...own.tools.values()].map(toApiTool),
      opening: () => this.#opening(),
      gate: this.#gate,
      running: this.running,
      budget: this.#options.budget,
      emit: this.#emit,
      retry: retry ?? DEFAULT_RETRIES,
      now: now ?? Date.now,
      random: random ?? Math.random,
      sleep: sleep ?? ((ms, signal) => wait(ms, undefined, { signal })),
    };
  }

  #opening() {
    return openingBlocks(this.#options.cwd, new Date().toISOString().slice(0, 10));
  }

  /** Has its own context but shares the gate, budget and operator. Its spending and questions count for the session. */
  async #runSubagent({ callId, type, description, prompt, signal }: SubagentRun) {
    const actor: EventActor = { id: callId, type, parentId: MAIN_ACTOR };
    const turnId = randomUUID();
    const tools = new Map([...this.#tools].filter(([name]) => name !== 'Task'));
    await this.#emit({ type: 'subagent.started', actor, turnId, description });
    let last = '';
    const deps = this.#deps({
      turnId,
      actor,
      conversation: new Conversation(),
      system: SUBAGENT_PROMPT,
      tools,
      meter: { contextTokens: 0 },
      maxTurns: SUBAGENT_TURNS,
      takeQueued: () => [],
    });
    const emit: Emit = (event) => {
      if (event.type === 'message') last = event.text;
      return this.#emit(event);
    };
    const content = [...(await this.#opening()), { type: 'text' as const, text: prompt }];
    const outcome = await runTurn({ ...deps, emit }, content, signal);
    await this.#emit({ type: 'subagent.ended', actor, turnId });
    if (outcome.kind === 'completed') return { text: outcome.text };
    return { text: last, error: outcome.kind === 'failed' ? outcome.error : 'It was interrupted.' };
  }
}

function toEventOutcome(outcome: TurnOutcome) {
  if (outcome.kind === 'completed') return { kind: 'completed' as const };
  if (outcome.kind === 'interrupted') return { kind: 'interrupted' as const };
  return { kind: 'failed' as const, error: outcome.error, details: { code: outcome.code } };
}

function withExtra(prompt: string, extra: string | undefined): string {
  return extra === undefined || extra.trim() === '' ? prompt : `${prompt}\n\n${extra}`;
}
