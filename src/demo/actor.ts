import type { HookAnswer } from '../contract/hooks.ts';
import { MINUTE } from './clock.ts';
import { Meter } from './meter.ts';
import type { SimulatedSession } from './session.ts';
import { answersInWords, type Call } from './tool-calls.ts';
import type { Block, Transcript } from './transcript.ts';

/** Past this, a running command has its own process, which a stop can end. */
const LONG_SECONDS = 15;

export interface Task {
  type: string;
  description: string;
  prompt: string;
  toolUseId: string;
  depth: number;
}

export interface UseOptions {
  say?: string;
  thinking?: string;
  /** How long it runs, in seconds. `forever`: as long as the scene is still, otherwise a minute or two more. */
  lasts?: number | 'forever';
  /** If nobody else has answered, the person at the terminal does after this many seconds. */
  terminalAfter?: number;
  /** Decided through the API before the user arrives. */
  decided?: { afterSeconds: number; decision: 'allow' | 'deny'; message?: string };
}

export type Outcome =
  | { kind: 'ran'; answers: Record<string, string> }
  | { kind: 'denied'; message: string }
  | { kind: 'failed'; error: string };

type Verdict = { run: true; input?: Record<string, unknown> } | { run: false; message: string };

/** Who acts in a session: the main agent, or a subagent. */
export class Actor {
  readonly #session: SimulatedSession;
  readonly #transcript: Transcript;
  readonly #model: string;
  readonly #agent: { agent_id?: string; agent_type?: string };
  readonly #depth: number;
  #at: number;

  constructor(session: SimulatedSession, { transcript, model, id, type, depth = 0 }: ActorOptions) {
    this.#session = session;
    this.#transcript = transcript;
    this.#model = model;
    this.#agent = id && type ? { agent_id: id, agent_type: type } : {};
    this.#depth = depth;
    this.#at = session.world.clock.now();
    session.world.clock.begin(this);
  }

  /** It has reached the situation the user finds it in. */
  arrive(): void {
    this.#session.world.clock.arrive(this);
  }

  /** Time passes. */
  async pause(seconds: number): Promise<void> {
    await this.until(this.#session.world.clock.after(this.#at, seconds * 1000));
  }

  async until(time: number): Promise<void> {
    await this.#session.world.clock.until(time, { actor: this, signal: this.#session.turnSignal });
    this.#at = Math.max(this.#at, time);
  }

  /** Until this many minutes before the user arrives. */
  async untilAgo(minutes: number): Promise<void> {
    await this.until(this.#session.world.clock.present - minutes * MINUTE);
  }

  /** In a still scene it stays as it is; in a live one it continues after a while. */
  async stay(seconds: number): Promise<void> {
    this.arrive();
    if (this.#session.isStill) await this.#session.world.clock.stay(this.#session.turnSignal);
    await this.untilAgo(0);
    this.catchUp();
    await this.pause(seconds);
  }

  /** Brings the clock to the present, no matter how long the last step took. */
  catchUp(): void {
    this.#at = this.#session.world.clock.now();
  }

  answer(text: string): void {
    this.#transcript.answer([{ type: 'text', text }]);
  }

  /** Calls a tool: the client asks for permission if needed, runs it, and reports the outcome. */
  async use(call: Call, options: UseOptions = {}): Promise<Outcome> {
    const id = `toolu_01${this.#session.random.hex(22)}`;
    this.#transcript.answer(blocksOf(call, id, this.#session.random.hex(64), options));
    const verdict = await this.#leave(call, id, options);
    if (!verdict.run) return this.#refused(call, id, verdict.message);
    const input = verdict.input ?? call.input;
    const { killed, durationMs } = await this.#run(call, options.lasts ?? 1);
    if (killed || call.fails) return this.#failed({ ...call, input }, id, { killed, durationMs });
    return this.#ran({ ...call, input }, id, durationMs);
  }

  /** Starts a subagent, which works in the background. */
  async delegate(
    { type, description, prompt, model = this.#model }: NewTask,
    work: (actor: Actor) => Promise<string>,
  ): Promise<void> {
    const session = this.#session;
    const id = `a${session.random.hex(16)}`;
    const input = { description, prompt, subagent_type: type };
    const response = {
      isAsync: true,
      status: 'async_launched',
      agentId: id,
      description,
      resolvedModel: model,
      prompt,
    };
    const toolUseId = `toolu_01${session.random.hex(22)}`;
    const call: Call = { name: 'Agent', input, response, output: `Async agent launched successfully.\nagentId: ${id}` };
    this.#transcript.answer([{ type: 'tool_use', id: toolUseId, name: 'Agent', input }]);
    const verdict = await this.#leave(call, toolUseId, {});
    if (!verdict.run) {
      await this.#refused(call, toolUseId, verdict.message);
      return;
    }
    const depth = this.#depth + 1;
    await session.hook('SubagentStart', { agent_id: id, agent_type: type });
    const transcript = session.transcriptOf({ model, meter: new Meter({ context: 9200 }), agentId: id });
    transcript.prompt(prompt);
    const actor = new Actor(session, { transcript, model, id, type, depth });
    await this.#ran(call, toolUseId, 21);
    session.run(id, { type, description, prompt, toolUseId, depth }, actor, work);
  }

  async #leave(call: Call, id: string, options: UseOptions): Promise<Verdict> {
    const tool = { ...this.#agent, tool_name: call.name, tool_input: call.input };
    const before = await this.#hook('PreToolUse', { ...tool, tool_use_id: id });
    const said = specific(before);
    if (before.continue === false) {
      this.#refusal(call, id, String(said.permissionDecisionReason ?? before.stopReason));
      this.#session.endTurn(String(before.stopReason), 'PreToolUse');
    }
    if (said.permissionDecision === 'deny') return { run: false, message: String(said.permissionDecisionReason) };
    if (said.permissionDecision === 'allow') return { run: true };
    return call.asks || said.permissionDecision === 'ask' ? this.#ask(call, tool, options) : { run: true };
  }

  /** The terminal shows its dialog and also waits for the hook. The first answer wins. */
  async #ask(call: Call, tool: Record<string, unknown>, { terminalAfter, decided }: UseOptions): Promise<Verdict> {
    const session = this.#session;
    const asked = this.#hook('PermissionRequest', { ...tool, permission_suggestions: [] });
    session.waiting(call.name === 'AskUserQuestion' ? 'input needed' : 'permission prompt');
    // recorded before time moves on: it has to have waited since now
    const approval = await Promise.race([session.world.operator.find(session.id), asked.then(() => undefined)]);
    // a rule asked where the script has no question: don't fall behind on the way to the present
    const isByRule = !call.asks && !session.world.clock.isLive;
    const settled = decided ?? (isByRule ? { afterSeconds: 6, decision: 'allow' as const } : undefined);
    if (!settled) this.arrive();
    else if (approval) {
      const { afterSeconds, ...decision } = settled;
      await this.pause(afterSeconds);
      await session.world.operator.decide(approval, decision);
    }
    const answer = await Promise.race([this.#orTerminal(asked), this.#atTheTerminal(terminalAfter)]);
    this.catchUp();
    const { decision } = specific(answer ?? {}) as { decision?: PermissionDecision };
    if (decision?.behavior === 'deny') {
      if (decision.interrupt) session.endTurn(decision.message ?? '', 'PermissionRequest');
      session.busy();
      return { run: false, message: decision.message ?? 'The operator said no.' };
    }
    session.busy();
    return decision?.updatedInput ? { run: true, input: decision.updatedInput } : { run: true };
  }

  /** An answer without an opinion leaves it to the terminal. */
  async #orTerminal(asked: Promise<HookAnswer>): Promise<HookAnswer> {
    const answer = await asked;
    return specific(answer).decision ? answer : this.#session.world.clock.stay(this.#session.turnSignal);
  }

  async #atTheTerminal(seconds: number | undefined): Promise<undefined> {
    const { world, isStill, turnSignal } = this.#session;
    if (seconds === undefined || isStill) return world.clock.stay(turnSignal);
    await world.clock.live;
    await world.clock.until(world.clock.after(world.clock.now(), seconds * 1000), { signal: turnSignal });
    return undefined;
  }

  async #run(call: Call, lasts: number | 'forever'): Promise<{ killed: boolean; durationMs: number }> {
    const { world } = this.#session;
    const startedAt = world.clock.now();
    const passing = lasts === 'forever' ? this.stay(this.#session.random.integer(30, 140)) : this.pause(lasts);
    const isLong = call.name === 'Bash' && (lasts === 'forever' || lasts >= LONG_SECONDS);
    const process = isLong ? this.#session.startTool() : undefined;
    try {
      const killed = await Promise.race([
        passing.then(() => false),
        ...(process ? [process.killed.then(() => true)] : []),
      ]);
      return { killed, durationMs: world.clock.now() - startedAt };
    } finally {
      passing.catch(() => undefined);
      process?.end();
    }
  }

  async #ran(call: Call, id: string, duration_ms: number): Promise<Outcome> {
    const answers = (call.input.answers ?? {}) as Record<string, string>;
    const isAnswered = call.name === 'AskUserQuestion' && Object.keys(answers).length > 0;
    const response = isAnswered ? { ...(call.response as object), answers } : call.response;
    const output = isAnswered ? answersInWords(answers) : call.output;
    const tool = { ...this.#agent, tool_name: call.name, tool_input: call.input, tool_use_id: id };
    this.#transcript.toolResult(id, { content: output, toolUseResult: response });
    this.#obey(await this.#hook('PostToolUse', { ...tool, tool_response: response, duration_ms }), 'PostToolUse');
    await this.#endBatch(call, id, output);
    const given = (call.response as { answers?: Record<string, string> } | null)?.answers;
    return { kind: 'ran', answers: isAnswered ? answers : (given ?? {}) };
  }

  async #failed(
    call: Call,
    id: string,
    { killed, durationMs }: { killed: boolean; durationMs: number },
  ): Promise<Outcome> {
    const error = killed ? 'Exit code 144' : `Exit code 1\n${call.output}`;
    this.#transcript.toolResult(id, { content: error, toolUseResult: `Error: ${error}`, isError: true });
    const tool = { ...this.#agent, tool_name: call.name, tool_input: call.input, tool_use_id: id };
    await this.#hook('PostToolUseFailure', { ...tool, error, is_interrupt: false, duration_ms: durationMs });
    this.catchUp();
    await this.#endBatch(call, id, error);
    return { kind: 'failed', error };
  }

  async #refused(call: Call, id: string, message: string): Promise<Outcome> {
    this.#refusal(call, id, message);
    await this.#endBatch(call, id, message);
    return { kind: 'denied', message };
  }

  #refusal(_call: Call, id: string, message: string): void {
    const content = `The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n${message}`;
    this.#transcript.toolResult(id, { content, toolUseResult: `Error: ${content}`, isError: true });
  }

  async #endBatch({ name, input }: Call, id: string, output: string): Promise<void> {
    const call = { tool_name: name, tool_input: input, tool_use_id: id, tool_response: output };
    this.#obey(await this.#hook('PostToolBatch', { ...this.#agent, tool_calls: [call] }), 'PostToolBatch');
  }

  #obey(answer: HookAnswer, event: string): void {
    if (answer.continue === false) this.#session.endTurn(String(answer.stopReason), event);
  }

  async #hook(name: string, fields: Record<string, unknown>): Promise<HookAnswer> {
    this.#session.turnSignal.throwIfAborted();
    return this.#session.hook(name, { effort: { level: 'medium' }, ...fields });
  }
}

interface ActorOptions {
  transcript: Transcript;
  model: string;
  id?: string;
  type?: string;
  depth?: number;
}

interface NewTask {
  type: string;
  description: string;
  prompt: string;
  model?: string;
}

interface PermissionDecision {
  behavior: 'allow' | 'deny';
  message?: string;
  interrupt?: boolean;
  updatedInput?: Record<string, unknown>;
}

function specific(answer: HookAnswer): Record<string, unknown> {
  return (answer.hookSpecificOutput ?? {}) as Record<string, unknown>;
}

function blocksOf({ name, input }: Call, id: string, signature: string, { say, thinking }: UseOptions): Block[] {
  return [
    ...(thinking ? [{ type: 'thinking' as const, thinking, signature }] : []),
    ...(say ? [{ type: 'text' as const, text: say }] : []),
    { type: 'tool_use', id, name, input },
  ];
}
