import { setMaxListeners } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { HookAnswer } from '../contract/hooks.ts';
import { Actor, type Task } from './actor.ts';
import { Meter } from './meter.ts';
import type { HookBody } from './post-hooks.ts';
import type { Project } from './projects.ts';
import { type Random, seededRandom } from './random.ts';
import { SimulatedClient } from './simulated-client.ts';
import { Transcript, transcriptPath } from './transcript.ts';
import { SessionEnded, TurnEnded } from './turn-ended.ts';
import type { World } from './world.ts';

export interface SessionOptions {
  project: Project;
  branch: string;
  model: string;
  /** Tells sessions of one seed apart. */
  number: number;
  mode?: string;
  context?: number | undefined;
}

interface Background {
  id: string;
  task: Task;
  work: Promise<void>;
}

/** One session the way the real client would run it: its hooks, its transcript, its pid file, its process. */
export class SimulatedSession {
  readonly id: string;
  readonly world: World;
  readonly project: Project;
  readonly branch: string;
  readonly model: string;
  readonly random: Random;
  readonly main: Actor;
  readonly #client: SimulatedClient;
  readonly #transcript: Transcript;
  readonly #background = new Map<string, Background>();
  readonly #prompts: string[] = [];
  #onPrompt: () => void = () => undefined;
  #turn = new AbortController();
  #turnSignal: AbortSignal;
  #turnStartedAt = 0;
  #mode: string;
  #isOver = false;

  constructor(world: World, { project, branch, model, number, mode = 'default', context }: SessionOptions) {
    this.world = world;
    this.project = project;
    this.branch = branch;
    this.model = model;
    this.#mode = mode;
    this.random = seededRandom(world.seed * 7919 + number);
    this.id = this.random.uuid();
    this.#turnSignal = signalOf(world, this.#turn);
    this.#transcript = this.transcriptOf({ model, meter: new Meter({ context }) });
    this.main = new Actor(this, { transcript: this.#transcript, model });
    this.#client = new SimulatedClient({
      configDir: world.configDir,
      sessionId: this.id,
      cwd: project.path,
      name: `${project.name}-${number}`,
      now: world.clock.now,
      onKilled: () => this.#turn.abort(new SessionEnded('other')),
    });
  }

  get mode(): string {
    return this.#mode;
  }

  set mode(mode: string) {
    this.#mode = mode;
  }

  /** Aborts when the turn, the session or the fleet ends. */
  get turnSignal(): AbortSignal {
    return this.#turnSignal;
  }

  get isStill(): boolean {
    return this.world.scene === 'still';
  }

  transcriptOf(more: { model: string; meter: Meter; agentId?: string }): Transcript {
    const { configDir, clock } = this.world;
    const { id: sessionId, random, branch } = this;
    return new Transcript({ configDir, sessionId, cwd: this.project.path, branch, random, now: clock.now, ...more });
  }

  /** A client from the future doesn't start like ours. */
  async startAs({ isUnknown = false }: { isUnknown?: boolean }): Promise<void> {
    if (!isUnknown) await this.#start();
  }

  async #start(source = 'startup'): Promise<void> {
    this.#transcript.note({ type: 'mode', mode: 'normal' });
    this.#transcript.note({ type: 'permission-mode', permissionMode: this.#mode });
    this.#client.say('idle');
    await this.hook('SessionStart', { source, model: this.model });
    this.#listen('SessionStart');
  }

  /** The user types it at the terminal, or we send it. */
  async prompt(text: string, { image, isOurs = false }: { image?: Buffer; isOurs?: boolean } = {}): Promise<void> {
    this.#newTurn();
    this.#turnStartedAt = this.world.clock.now();
    const said = isOurs ? asNotification(text) : text;
    this.#transcript.prompt(said, { image, isOurs, mode: this.#mode });
    this.#client.say('busy');
    const answer = await this.hook('UserPromptSubmit', { prompt: said });
    if (answer.decision === 'block') this.endTurn(String(answer.reason), 'UserPromptSubmit');
    this.#listen('UserPromptSubmit');
  }

  /** The turn ends with this message. Subagents may still be running. */
  async finish(text: string): Promise<void> {
    this.main.answer(text);
    const tasks = [...this.#background.values()].map(({ id, task }) => ({
      id,
      type: 'subagent',
      status: 'running',
      description: task.description,
      agent_type: task.type,
    }));
    await this.hook('Stop', { stop_hook_active: false, last_assistant_message: text, background_tasks: tasks });
    this.#transcript.turnEnded(this.world.clock.now() - this.#turnStartedAt);
    this.#transcript.note({ type: 'last-prompt', lastPrompt: '' });
    if (tasks.length === 0) this.#client.say('idle');
    this.#listen('Stop');
  }

  /** A task on the team's list is done, and with it this session's purpose. */
  async completeTask(task_id: string, task_subject: string): Promise<void> {
    await this.hook('TaskCompleted', { task_id, task_subject });
  }

  /** A client from the future starts: none of its events is known, and it reports before it has a pid file. */
  async startUnknown(event: string, fields: Record<string, unknown>, prompt: string): Promise<void> {
    this.#newTurn();
    this.#transcript.prompt(prompt);
    await this.hook(event, fields);
    this.#client.say('busy');
  }

  /** The model's API failed. */
  async failOverloaded(): Promise<void> {
    const text = 'API Error: 529 Overloaded. This is a server-side issue, usually temporary — try again in a moment.';
    this.#transcript.apiError(text, { status: 529, type: 'overloaded_error', error: 'server_error' });
    await this.hook('StopFailure', { error: 'server_error', error_details: text, last_assistant_message: text });
    this.#client.say('idle');
    this.#listen('Stop');
  }

  /** Esc at the keyboard: no hook reports it. */
  async interrupt(): Promise<void> {
    const { clock, operator } = this.world;
    this.#transcript.interrupted();
    this.#turn.abort(new TurnEnded('Esc'));
    this.#client.say('idle');
    // idleness must last a moment before it counts
    await clock.until(clock.now() + 1000, { actor: this.main });
    await operator.untilShown(this.id, 'interrupted');
  }

  /** The daemon's answer ends the turn, for the main agent and everything below it. */
  endTurn(reason: string, hookEvent: string): never {
    this.#transcript.stoppedByHook(reason, hookEvent);
    const over = new TurnEnded(reason);
    this.#turn.abort(over);
    this.#background.clear();
    this.#client.say('idle');
    throw over;
  }

  async end(reason: string): Promise<void> {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#turn.abort(new SessionEnded(reason));
    // first the event, then the process: the other way around it would count as killed
    await this.hook('SessionEnd', { reason });
    this.#client.leave();
  }

  /** Silently: the demo itself ends. */
  leave(): void {
    this.#isOver = true;
    this.#client.leave();
  }

  /** The next prompt sent through Ground Control. undefined: none came in this time. */
  async nextPrompt({ withinSeconds }: { withinSeconds?: number } = {}): Promise<string | undefined> {
    if (this.#turn.signal.aborted && !(this.#turn.signal.reason instanceof SessionEnded)) this.#newTurn();
    this.main.arrive();
    const waiting = new AbortController();
    const signal = AbortSignal.any([this.#turnSignal, waiting.signal]);
    const prompted = new Promise<void>((resolve) => {
      this.#onPrompt = resolve;
      if (this.#prompts.length > 0) resolve();
    });
    const patience = withinSeconds === undefined ? this.world.clock.stay(signal) : this.#sitOut(withinSeconds, signal);
    try {
      await Promise.race([prompted, patience]);
    } finally {
      waiting.abort(new TurnEnded('prompted'));
      patience.catch(() => undefined);
    }
    return this.#prompts.shift();
  }

  /** Counted from the present: someone who comes to look should still find it. */
  async #sitOut(seconds: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.world;
    await clock.live;
    await clock.until(clock.after(clock.now(), seconds * 1000), { signal });
  }

  waiting(waitingFor: string): void {
    this.#client.say('waiting', waitingFor);
  }

  busy(): void {
    this.#client.say('busy');
  }

  startTool(): ReturnType<SimulatedClient['startTool']> {
    return this.#client.startTool();
  }

  hook(name: string, fields: Record<string, unknown> = {}): Promise<HookAnswer> {
    return this.world.poster.post(this.#payload(name, fields));
  }

  /** A subagent that works in the background. */
  run(id: string, task: Task, actor: Actor, work: (actor: Actor) => Promise<string>): void {
    const running = this.#runAgent(id, task, actor, work);
    running.catch(() => undefined);
    this.#background.set(id, { id, task, work: running });
  }

  /** All background work has ended, and the main agent knows. */
  async untilAgentsAreDone(): Promise<void> {
    this.main.arrive();
    while (this.#background.size > 0) await Promise.all([...this.#background.values()].map(({ work }) => work));
    this.main.catchUp();
    const told =
      '<task-notification>\n<status>completed</status>\n<summary>All agents finished</summary>\n</task-notification>';
    this.#transcript.prompt(told, { isOurs: true });
    this.#client.say('busy');
    await this.hook('UserPromptSubmit', { prompt: told });
  }

  async #runAgent(id: string, task: Task, actor: Actor, work: (actor: Actor) => Promise<string>): Promise<void> {
    const meta = {
      agentType: task.type,
      description: task.description,
      toolUseId: task.toolUseId,
      spawnDepth: task.depth,
    };
    const path = transcriptPath(
      { configDir: this.world.configDir, sessionId: this.id, cwd: this.project.path, branch: '' },
      id,
    );
    const metaPath = path.replace(/\.jsonl$/, '.meta.json');
    writeFileSync(metaPath, JSON.stringify(meta));
    const last_assistant_message = await work(actor).finally(() => actor.arrive());
    actor.answer(last_assistant_message);
    await this.hook('SubagentStop', {
      agent_id: id,
      agent_type: task.type,
      stop_hook_active: false,
      agent_transcript_path: path,
      last_assistant_message,
      background_tasks: [],
    });
    writeFileSync(metaPath, JSON.stringify({ ...meta, finished: true }));
    this.#background.delete(id);
  }

  #newTurn(): void {
    const { reason } = this.#turn.signal;
    if (reason instanceof SessionEnded) throw reason;
    // releases whatever still waits in the previous turn
    this.#turn.abort(new TurnEnded('The next turn begins.'));
    this.#turn = new AbortController();
    this.#turnSignal = signalOf(this.world, this.#turn);
    this.main.catchUp();
  }

  /** Like the client's background hook; a later one replaces an earlier one. */
  #listen(event: string): void {
    const over = new AbortController();
    this.world.poster
      .waitForPrompt(this.#payload(event, {}), over.signal)
      .then((text) => {
        if (text === undefined || this.#isOver) return;
        this.#prompts.push(text);
        this.#onPrompt();
      })
      // the daemon is shutting down, and so are we
      .catch(() => undefined);
  }

  #payload(hook_event_name: string, fields: Record<string, unknown>): HookBody {
    return {
      session_id: this.id,
      transcript_path: this.#transcript.path,
      cwd: this.project.path,
      ...(this.#transcript.promptId ? { prompt_id: this.#transcript.promptId } : {}),
      ...(NO_MODE.has(hook_event_name) ? {} : { permission_mode: this.#mode }),
      hook_event_name,
      ...fields,
    };
  }
}

function signalOf({ signal }: World, turn: AbortController): AbortSignal {
  const either = AbortSignal.any([signal, turn.signal]);
  // subagents, tools and dialogs of one turn
  setMaxListeners(0, either);
  return either;
}

/** Events without the mode. */
const NO_MODE = new Set(['SessionStart', 'SessionEnd', 'Notification', 'SubagentStart', 'StopFailure']);

/** The wrapper the client puts around a hook's output. */
function asNotification(text: string): string {
  const lead = 'The operator of this session sent you this prompt through Ground Control. Work on it now:';
  return `<task-notification>\n<summary>Prompt from Ground Control</summary>\n${lead}\n${text}\n</task-notification>`;
}
