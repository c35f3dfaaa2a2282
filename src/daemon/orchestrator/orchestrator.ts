import {
  type ForkRequest,
  isFinished,
  type Lifecycle,
  type OrchestratedQuery,
  type OrchestratedSession,
  type Orchestration,
  type ResumeRequest,
  type RewindRequest,
  type Rewound,
  type SessionResult,
  type SessionSettings,
  type StartSpec,
  type WaitQuery,
} from '../../contract/orchestration.ts';
import type { Enrollment } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import type { Stops } from '../control/stops.ts';
import type { Core } from '../core.ts';
import type { RunnerAsks } from '../drivers/runner/runner-asks.ts';
import type { Runners } from '../drivers/runner/runners.ts';
import type { Rules } from '../rules/rules.ts';
import type { Actor } from './actor.ts';
import { Callbacks } from './callbacks.ts';
import { ContinueSessions } from './continue-sessions.ts';
import { enrollTerminal } from './enroll-terminal.ts';
import { stillRunning } from './errors.ts';
import { FollowRunners } from './follow-runners.ts';
import type { SessionLauncher } from './session-launcher.ts';
import { projectOf, SessionRegistry } from './session-registry.ts';
import { type Consents, SessionRuns } from './session-runs.ts';
import type { StartQueue } from './start-queue.ts';
import { StartSessions, type StartSessionsOptions } from './start-sessions.ts';

export interface OrchestratorOptions extends Pick<StartSessionsOptions, 'checkWorkplace' | 'workplaceOf'> {
  core: Core;
  runners: Runners;
  blueprints: Blueprints;
  rules: Rules;
  stops: Stops;
  tokens: SessionTokens;
  dataDir: string;
  launcher: SessionLauncher;
  consents: Consents;
  queue?: StartQueue | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Starts sessions in runners and follows them to their end. The single entry point for the CLI, HTTP, MCP, the queue and fan-outs. */
export class Orchestrator {
  readonly #options: OrchestratorOptions;
  readonly #registry: SessionRegistry;
  readonly #runs: SessionRuns;
  readonly #follow: FollowRunners;
  readonly #starts: StartSessions;
  readonly #continue: ContinueSessions;
  readonly #callbacks: Callbacks;

  constructor(options: OrchestratorOptions) {
    this.#options = options;
    this.#registry = new SessionRegistry(options);
    const registry = this.#registry;
    this.#runs = new SessionRuns({ ...options, registry });
    this.#follow = new FollowRunners({ ...options, registry, runs: this.#runs });
    this.#starts = new StartSessions({ ...options, registry, runs: this.#runs, follow: this.#follow });
    this.#continue = new ContinueSessions({ ...options, registry, runs: this.#runs });
    this.#callbacks = new Callbacks({ registry, continuing: this.#continue, onError: options.onError });
    options.runners.listen(this.#follow);
  }

  /** Resumes what a killed daemon left unfinished. */
  carryOn(): void {
    this.#callbacks.start();
    this.#follow.carryOn();
  }

  answerWith(asks: RunnerAsks): void {
    this.#follow.answerWith(asks);
  }

  /** Called on each change of a session. */
  onChange(listener: (session: OrchestratedSession) => void): () => void {
    return this.#registry.onChange(listener);
  }

  /** Throws if the session could not start. */
  check(spec: StartSpec, actor: Actor): Promise<void> {
    return this.#starts.check(spec, actor);
  }

  start(spec: StartSpec, actor: Actor): Promise<OrchestratedSession> {
    return this.#starts.start(spec, actor);
  }

  enroll(enrollment: Enrollment, actor: Actor): Promise<string> {
    return enrollTerminal(enrollment, actor, { ...this.#options, registry: this.#registry });
  }

  launch(id: string): Promise<void> {
    return this.#starts.launch(id);
  }

  resume(ref: string, request: ResumeRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    return this.#continue.resume(ref, request, actor, project);
  }

  fork(ref: string, request: ForkRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    return this.#continue.fork(ref, request, actor, project);
  }

  rewind(ref: string, request: RewindRequest, actor: Actor, project?: string): Promise<Rewound> {
    return this.#continue.rewind(ref, request, actor, project);
  }

  async settings(ref: string, change: SessionSettings, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#registry.requireRef(ref, project);
    await this.#runs.applySettings(known, change, actor);
    return this.#registry.view(known);
  }

  /** Removes it from the queue, or stops it and its process. */
  async cancel(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const { runners, stops, queue, now } = this.#options;
    const known = await this.#registry.requireRef(ref, project);
    this.#registry.requireOwn(known, actor);
    const { id } = known;
    const { by } = actor;
    if (known.orchestration.lifecycle === 'queued') {
      const cancelled = { lifecycle: 'cancelled', finishedAt: now(), waitsFor: null } as const;
      await this.#registry.change(known, 'session.finished', cancelled, { by });
      queue?.release(id);
      return this.#registry.view(known);
    }
    if (runners.of(id)) {
      const stopping = await stops.stopSession(id, { by, kill: true });
      await stopping.done;
    }
    if (!isFinished(known.orchestration.lifecycle))
      await this.#registry.change(known, 'session.finished', { lifecycle: 'cancelled', finishedAt: now() }, { by });
    return this.#registry.view(known);
  }

  async archive(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#registry.requireRef(ref, project);
    if (!isFinished(known.orchestration.lifecycle)) throw stillRunning(known.orchestration.name);
    await this.#runs.end(known, 'It was archived.');
    await this.#registry.change(known, 'session.finished', { lifecycle: 'archived' }, { by: actor.by });
    return this.#registry.view(known);
  }

  /** Forgets that it was started from here and frees its name. */
  async delete(ref: string, actor: Actor, project?: string): Promise<void> {
    const known = await this.#registry.requireRef(ref, project);
    this.#registry.requireOwn(known, actor);
    if (!isFinished(known.orchestration.lifecycle)) throw stillRunning(known.orchestration.name);
    await this.#runs.end(known, 'It was deleted.');
    await this.#runs.allowTools(known, [], actor.by);
    await this.#registry.forget(known, actor.by);
    this.#options.tokens.revoke(known.id);
  }

  // ---- for the queue

  queued(): OrchestratedSession[] {
    return this.#registry.withLifecycle(['queued']);
  }

  /** Sessions whose runner is working or starting. */
  active(): OrchestratedSession[] {
    return this.#registry.withLifecycle(['waiting_for_agent', 'running', 'retrying']);
  }

  outcomeOf(ref: string, project: string | null): Lifecycle | undefined {
    const byId = this.find(ref);
    if (byId) return byId.lifecycle;
    const { rows } = this.#registry;
    const here = rows.named(ref, project ?? '');
    return (here[0] ?? rows.named(ref)[0])?.orchestration.lifecycle;
  }

  /** Updates what a queued session is waiting for. */
  async explain(id: string, waitsFor: string): Promise<void> {
    const known = this.#registry.load(id);
    if (known?.orchestration.lifecycle !== 'queued' || known.orchestration.waitsFor === waitsFor) return;
    await this.#registry.change(known, 'session.advanced', { waitsFor });
  }

  /** Fails a queued session that can never start. */
  async giveUp(id: string, why: string): Promise<void> {
    const known = this.#registry.load(id);
    if (known?.orchestration.lifecycle === 'queued') await this.#follow.fail(known, why);
  }

  async move(id: string, change: Partial<Pick<Orchestration, 'priority' | 'startAt'>>, by: string): Promise<void> {
    await this.#registry.change(this.#registry.require(id), 'session.settings', change, { by });
  }

  // ---- queries

  find(id: string): OrchestratedSession | undefined {
    return this.#registry.find(id);
  }

  async findRef(ref: string, project?: string): Promise<OrchestratedSession | undefined> {
    const known = await this.#registry.resolve(ref, project);
    return known && this.#registry.view(known);
  }

  approvalTimeoutOf(id: string): number | undefined {
    return this.#registry.load(id)?.spec.approvalTimeoutSeconds;
  }

  async lookUp(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#registry.requireRef(ref, project);
    this.#registry.requireOwn(known, actor);
    return this.#registry.view(known);
  }

  async list(query: OrchestratedQuery, actor: Actor): Promise<OrchestratedSession[]> {
    const project = query.project === undefined ? undefined : await projectOf(query.project);
    const found = this.#registry.rows.list({ ...query, project });
    const { principal } = actor;
    if (principal?.kind !== 'agent') return found;
    return found.filter(({ id }) => this.#registry.limits.isBelow(id, principal.sessionId));
  }

  async result(ref: string, actor: Actor, project?: string): Promise<SessionResult> {
    const known = await this.#registry.requireRef(ref, project);
    this.#registry.requireOwn(known, actor);
    const { id, orchestration, result } = known;
    const { name, lifecycle, spent, error } = orchestration;
    return {
      id,
      name,
      lifecycle,
      text: result?.text ?? null,
      ...(result?.json === undefined ? {} : { json: result.json }),
      problems: result?.problems ?? [],
      error: error ?? result?.error ?? null,
      turns: result?.turns ?? 0,
      spent,
    };
  }

  async wait(query: WaitQuery, actor: Actor, signal: AbortSignal) {
    const ids: string[] = [];
    for (const ref of query.sessions.split(',')) ids.push((await this.lookUp(ref.trim(), actor, query.project)).id);
    const look = () => {
      const sessions = ids.map((id) => this.#registry.view(this.#registry.require(id)));
      const finished = sessions.filter(({ lifecycle }) => isFinished(lifecycle)).map(({ id }) => id);
      const isDone = query.any ? finished.length > 0 : finished.length === ids.length;
      return { sessions, finished, isDone };
    };
    const seen = look();
    if (seen.isDone || query.timeoutSeconds === 0) return seen;
    const timeUp = AbortSignal.any([signal, AbortSignal.timeout(query.timeoutSeconds * 1000)]);
    await new Promise<void>((resolve) => {
      const forget = this.onChange(({ id }) => {
        if (ids.includes(id) && look().isDone) done();
      });
      const done = () => {
        forget();
        resolve();
      };
      timeUp.addEventListener('abort', done, { once: true });
    });
    return look();
  }
}
