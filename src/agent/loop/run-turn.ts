import type { Tool as ApiTool } from '@anthropic-ai/sdk/resources/messages';
import type { EventActor } from '../../contract/agent-events.ts';
import type { Emit } from '../events.ts';
import type { StreamModel } from '../model/anthropic.ts';
import { buildRequest, type ModelSettings } from '../model/request.ts';
import type { Decide } from '../permission/decision.ts';
import type { Tool } from '../tools/tool.ts';
import { bufferText } from './buffer-text.ts';
import { afterCompaction, askForSummary, COMPACT_AT, COMPACT_REST, SUMMARY_CUTS, shortenMessages } from './compact.ts';
import type { Conversation, Entry, PromptBlock } from './conversation.ts';
import type { Gate } from './gate.ts';
import { LoopGuard } from './loop-guard.ts';
import { type ModelCall, type Reply, readReply } from './read-reply.ts';
import { describeFailure, isOverflow, isPassing, type RetryPolicy, waitBeforeRetry } from './retry.ts';
import { type CallEnd, runCall } from './run-call.ts';
import type { RunningCalls } from './running-calls.ts';
import type { Spending } from './spending.ts';
import { contextTokens, toTokens } from './usage.ts';

/** Everything a turn needs from outside. The loop uses no globals. */
export interface TurnDeps {
  stream: StreamModel;
  settings: () => ModelSettings;
  contextWindow: () => number;
  system: string;
  tools: ReadonlyMap<string, Tool>;
  apiTools: readonly ApiTool[];
  conversation: Conversation;
  /** The start of a compacted conversation: instructions and environment. */
  opening: () => Promise<PromptBlock[]>;
  decide: Decide;
  gate: Gate;
  running: RunningCalls;
  budget: Spending;
  emit: Emit;
  actor: EventActor;
  turnId: string;
  /** Context size at the last request. Kept between turns. */
  meter: { contextTokens: number };
  maxTurns: number;
  retry: RetryPolicy;
  /** Prompts the operator sent during the turn. They go out with the next request. */
  takeQueued: () => string[];
  now: () => number;
  random: () => number;
  sleep: (ms: number, signal: AbortSignal) => Promise<void>;
}

export type TurnOutcome =
  | { kind: 'completed'; text: string }
  | { kind: 'interrupted' }
  | { kind: 'failed'; code: FailureCode; error: string };

export type FailureCode =
  | 'api'
  | 'max_turns'
  | 'budget'
  | 'refusal'
  | 'max_tokens'
  | 'context'
  | 'denied'
  | 'unknown_stop';

const failedWith = (code: FailureCode, error: string): TurnOutcome => ({ kind: 'failed', code, error });

/** Summarizes the conversation on the operator's request. */
export async function compactNow(deps: TurnDeps, signal: AbortSignal): Promise<void> {
  await new Turn(deps, signal).compact('manual');
}

/** Runs one prompt until the model is done: request, stream, calls, results, next request. */
export async function runTurn(deps: TurnDeps, prompt: PromptBlock[], signal: AbortSignal): Promise<TurnOutcome> {
  const { conversation, emit, actor, takeQueued, maxTurns } = deps;
  const turn = new Turn(deps, signal);
  try {
    await turn.record({ type: 'prompt', content: prompt });
    for (let requests = 0; ; requests += 1) {
      if (signal.aborted) return await turn.interrupted();
      if (requests >= maxTurns) return failedWith('max_turns', `Stopped after ${maxTurns} requests to the model.`);
      for (const text of takeQueued()) await turn.record({ type: 'prompt', content: [{ type: 'text', text }] });
      if (turn.isNearLimit()) await turn.compact('auto');
      if (!(await deps.budget.admits(signal)))
        return failedWith('budget', 'The operator ended the turn at its budget.');

      const step = await turn.request(conversation.messages());
      if (signal.aborted) return await turn.interrupted();
      if (step.kind === 'again') continue;
      if (step.kind === 'failed') return step.outcome;
      const { reply, text, ends } = step;
      if (ends.some(({ endsTurn }) => endsTurn))
        return failedWith('denied', 'The operator denied a call and ended the turn.');
      if (ends.length > 0) {
        await emit({ type: 'tool.batch_ended', actor, turnId: deps.turnId });
        if (reply.stopReason !== 'refusal') continue;
      }
      const outcome = await turn.outcomeOf(reply, text);
      if (outcome) return outcome;
    }
  } catch (error) {
    if (signal.aborted) return turn.interrupted();
    if (error instanceof CompactionFailed)
      return failedWith('context', `The conversation could not be compacted: ${error.message}`);
    throw error;
  }
}

type Step =
  | { kind: 'reply'; reply: Reply; text: string; ends: CallEnd[] }
  | { kind: 'again' }
  | { kind: 'failed'; outcome: TurnOutcome };

/** The state of one turn. */
class Turn {
  readonly #deps: TurnDeps;
  readonly #signal: AbortSignal;
  readonly #guard = new LoopGuard();
  #attempt = 0;
  #requestsSinceCompaction = Number.POSITIVE_INFINITY;
  /** One recovery per overflow. A conversation that doesn't fit after compacting never will. */
  #hasRecovered = false;

  constructor(deps: TurnDeps, signal: AbortSignal) {
    this.#deps = deps;
    this.#signal = signal;
  }

  async record(entry: Entry): Promise<void> {
    const { conversation, emit, actor } = this.#deps;
    conversation.apply(entry);
    await emit({ type: 'entry', actor, entry });
  }

  /** Sends the conversation and runs the calls in the reply while it streams in. */
  async request(messages: ReturnType<Conversation['messages']>): Promise<Step> {
    const { stream, conversation, tools, actor } = this.#deps;
    const screen = bufferText(this.#deps.emit, actor);
    const blocks: Parameters<Conversation['keptBlocks']>[0][number][] = [];
    const calls: Promise<CallEnd>[] = [];
    const saved: Promise<void>[] = [];
    let text = '';
    let reply: Reply;
    try {
      const events = await stream(this.#build(messages), { signal: this.#signal });
      reply = await readReply(events, {
        onText: (id, more) => screen.delta('text.delta', id, more),
        onThinking: (id, more) => screen.delta('thinking.delta', id, more),
        onBlock: (id, block) => {
          blocks.push(block);
          if (block.type === 'text') text += block.text;
          screen.flush();
          saved.push(watched(this.record({ type: 'block', reply: id, block })));
        },
        onCall: (call) => {
          calls.push(watched(this.#start(call)));
        },
        startsAtOnce: (name) => tools.get(name)?.gate === 'read',
        uniqueId: (id) => conversation.uniqueId(id),
      });
    } catch (error) {
      screen.flush();
      return this.#recover(error);
    }
    screen.flush();
    await Promise.all(saved);
    const keep = await this.#settle(reply, blocks, calls.length > 0);
    await this.#report(reply, keep > 0 ? text : '');
    const ends = await Promise.all(calls);
    if (reply.cut !== undefined && !this.#signal.aborted && calls.length === 0) return this.#recover(reply.cut);
    this.#attempt = 0;
    if (reply.cut !== undefined && !this.#signal.aborted) return { kind: 'again' };
    return { kind: 'reply', reply, text, ends };
  }

  #start(call: ModelCall): Promise<CallEnd> {
    const deps = { ...this.#deps, guard: this.#guard, record: (entry: Entry) => this.record(entry) };
    return runCall(call, deps, this.#signal);
  }

  #build(messages: ReturnType<Conversation['messages']>) {
    const { system, apiTools, settings } = this.#deps;
    return buildRequest({ ...settings(), system, tools: apiTools, messages });
  }

  /** Ends the reply in the conversation. A reply that broke off before any call started is dropped and requested again. */
  async #settle(reply: Reply, blocks: Parameters<Conversation['keptBlocks']>[0], hasCalls: boolean): Promise<number> {
    const { conversation, emit, actor } = this.#deps;
    const isCut = reply.cut !== undefined;
    const isRefused = reply.stopReason === 'refusal';
    if (!isCut && !isRefused) {
      if (blocks.length > 0) await this.record({ type: 'reply.ended', reply: reply.id, keep: blocks.length });
      return blocks.length;
    }
    const isInterrupted = isCut && this.#signal.aborted;
    const all = [...blocks];
    if (isInterrupted && reply.unfinishedText.trim() !== '') {
      const block = { type: 'text' as const, text: reply.unfinishedText };
      all.push(block);
      await this.record({ type: 'block', reply: reply.id, block });
    }
    const keep = hasCalls || isInterrupted ? conversation.keptBlocks(all) : 0;
    if (all.length > 0) await this.record({ type: 'reply.ended', reply: reply.id, keep });
    if (keep === 0)
      await emit({ type: 'reply.dropped', actor, why: isRefused ? 'refused' : describeFailure(reply.cut) });
    return keep;
  }

  async #report(reply: Reply, text: string): Promise<void> {
    const { emit, actor, budget, meter, contextWindow } = this.#deps;
    if (text.trim() !== '') await emit({ type: 'message', actor, turnId: this.#deps.turnId, text });
    // counts truncated replies too, because the API bills for them
    if (reply.model === '') return;
    const cost = budget.spend(reply.model, reply.usage);
    meter.contextTokens = contextTokens(reply.usage);
    this.#requestsSinceCompaction += 1;
    await emit({
      type: 'usage',
      actor,
      turnId: this.#deps.turnId,
      requestId: reply.id,
      model: reply.model,
      tokens: toTokens(reply.usage),
      ...(cost === undefined ? {} : { cost }),
      contextTokens: meter.contextTokens,
      contextLimit: contextWindow(),
    });
  }

  /** Handles an error: retry after a delay, compact and retry, or give up with a reason. */
  async #recover(error: unknown): Promise<Step> {
    const { retry } = this.#deps;
    if (this.#signal.aborted) return { kind: 'again' };
    if (isOverflow(error) && !this.#hasRecovered) {
      this.#hasRecovered = true;
      await this.compact('auto');
      return { kind: 'again' };
    }
    const why = describeFailure(error);
    if (isOverflow(error))
      return {
        kind: 'failed',
        outcome: failedWith('context', `The conversation does not fit the context window: ${why}`),
      };
    if (!isPassing(error) || this.#attempt >= retry.retries) return { kind: 'failed', outcome: failedWith('api', why) };
    this.#attempt += 1;
    await this.#pause(error, this.#attempt);
    return { kind: 'again' };
  }

  /** Waits before the next attempt and reports the delay. */
  async #pause(error: unknown, attempt: number): Promise<void> {
    const { retry, emit, actor, random, sleep } = this.#deps;
    const waitMs = waitBeforeRetry(error, attempt, retry, random);
    await emit({ type: 'request.retrying', actor, attempt, waitMs, why: describeFailure(error) });
    await sleep(waitMs, this.#signal);
  }

  /** Not right after compacting, or a conversation near the limit would be compacted on every request. */
  isNearLimit(): boolean {
    const { meter, contextWindow } = this.#deps;
    return meter.contextTokens > contextWindow() * COMPACT_AT && this.#requestsSinceCompaction >= COMPACT_REST;
  }

  /** Replaces the conversation with a summary. All calls have results at this point, so no call is separated from its result. */
  async compact(trigger: 'auto' | 'manual'): Promise<void> {
    const { conversation, emit, actor, opening, meter } = this.#deps;
    await emit({ type: 'context.compacting', actor, turnId: this.#deps.turnId, trigger });
    const summary = await this.#summarize(conversation.messages());
    await this.record({ type: 'compacted', content: afterCompaction(await opening(), summary) });
    meter.contextTokens = 0;
    this.#requestsSinceCompaction = 0;
    await emit({ type: 'context.compacted', actor, turnId: this.#deps.turnId, trigger });
  }

  async #summarize(messages: ReturnType<Conversation['messages']>): Promise<string> {
    const { stream, retry } = this.#deps;
    let cut = 0;
    for (let attempt = 1; ; attempt += 1) {
      const most = SUMMARY_CUTS[cut] ?? 0;
      let text = '';
      let failure: unknown;
      try {
        const asked = askForSummary(shortenMessages(messages, most));
        const request = { ...this.#build(asked), tool_choice: { type: 'none' as const } };
        // cut messages have lost theirs
        if (cut > 0) delete request.thinking;
        const reply = await readReply(await stream(request, { signal: this.#signal }), {
          onText: (_, more) => {
            text += more;
          },
          onThinking: () => undefined,
          onBlock: () => undefined,
          onCall: () => undefined,
          startsAtOnce: () => false,
          uniqueId: (id) => id,
        });
        await this.#report(reply, '');
        failure = reply.cut ?? (text.trim() === '' ? new Error('The model returned no summary') : undefined);
      } catch (error) {
        failure = error;
      }
      if (failure === undefined) return text;
      this.#signal.throwIfAborted();
      // the same messages would not fit a second time, either
      if (isOverflow(failure) && cut + 1 < SUMMARY_CUTS.length) {
        cut += 1;
        attempt -= 1;
        continue;
      }
      if (!isPassing(failure) || attempt > retry.retries) throw new CompactionFailed(describeFailure(failure));
      await this.#pause(failure, attempt);
    }
  }

  async outcomeOf(reply: Reply, text: string): Promise<TurnOutcome | undefined> {
    switch (reply.stopReason) {
      case 'end_turn':
      case 'stop_sequence':
      case 'tool_use':
        return { kind: 'completed', text };
      case 'pause_turn':
        return undefined;
      case 'refusal':
        return failedWith('refusal', reply.stopDetails ?? 'The model refused to answer.');
      case 'max_tokens':
        return failedWith('max_tokens', 'The reply reached its output limit. Ask to continue, or raise the limit.');
      case 'model_context_window_exceeded':
        if (this.#hasRecovered) return failedWith('context', 'The context window is full, even after compacting.');
        this.#hasRecovered = true;
        await this.compact('auto');
        return undefined;
      default:
        return failedWith('unknown_stop', `The model stopped for an unknown reason: ${reply.stopReason}.`);
    }
  }

  async interrupted(): Promise<TurnOutcome> {
    await this.record({ type: 'interrupted' });
    return { kind: 'interrupted' };
  }
}

/** Summarizing failed. The conversation is unchanged. */
export class CompactionFailed extends Error {}

/** Failures surface where the promise is awaited. Until then it must not count as an unhandled rejection. */
function watched<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
