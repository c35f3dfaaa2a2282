import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { Enrollment, RunnerEvent, RunnerSync, TurnResult } from '../../contract/runners.ts';
import type { SessionPrincipal, SessionTokens } from '../access/session-tokens.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import type { Stops } from '../control/stops.ts';
import type { Core } from '../core.ts';
import type { RunnerAsks } from '../drivers/runner/runner-asks.ts';
import type { Runner, RunnerListener, Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Draft } from '../journal/journal.ts';
import type { Rules } from '../rules/rules.ts';
import { findPlace } from '../sessions/place.ts';
import { AgentLimits } from './agent-limits.ts';
import { ambiguousName, nameTaken, notItsOwn, stillRunning, unknownSession } from './errors.ts';
import { type KnownSession, OrchestratedRows } from './orchestrated-rows.ts';
import { planSession, type SessionPlan } from './plan-session.ts';
import { judgeResult, schemaPrompt } from './results.ts';
import type { Launch, SessionLauncher } from './session-launcher.ts';
import { hostedElsewhere, nowRunning, terminalSession } from './terminal-session.ts';
import { PRE_APPROVED, toSessionRule } from './tool-rules.ts';

const PROMPT_SHOWN = 500;
const COMMAND_MS = 30_000;
const LOOK_MS = 50;

/** Who starts or changes something: a person by the name of their device, or an agent. */
export interface Actor {
  by: string;
  principal?: SessionPrincipal | undefined;
}

/** Where a session works, made ready for it. */
export interface Workplace {
  cwd: string;
  worktree: string | null;
}

/** Decides when a session starts. */
export interface StartQueue {
  /** It waits for its turn: call `launch` when that has come. The reason it waits, in a sentence; undefined: start it now. */
  offer(session: OrchestratedSession): string | undefined;
  /** It runs no more, or waits no more. */
  release(sessionId: string): void;
  /** The model or the account refused for now. */
  refused(refusal: { why: string; until: number | null; limit: string | null }): void;
}

export interface OrchestratorOptions {
  core: Core;
  runners: Runners;
  blueprints: Blueprints;
  rules: Rules;
  stops: Stops;
  tokens: SessionTokens;
  dataDir: string;
  launcher: SessionLauncher;
  consents: { has(project: string, fingerprint: string): boolean; add(project: string, fingerprint: string): void };
  /** Throws what would keep the workplace from being made, before anything is recorded. */
  checkWorkplace: (spec: StartSpec) => Promise<void>;
  workplaceOf: (spec: StartSpec, session: { id: string; name: string; by: string }) => Promise<Workplace>;
  queue?: StartQueue | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Starts sessions in runners and follows them to their end. The one entry for the CLI, HTTP, MCP, the queue and a fan-out. What it knows is a
 * row before it is anything else, so the next daemon goes on where this one was killed.
 */
export class Orchestrator implements RunnerListener {
  readonly rows: OrchestratedRows;
  readonly limits: AgentLimits;
  readonly #options: OrchestratorOptions;
  readonly #known = new Map<string, KnownSession>();
  readonly #launcher: SessionLauncher;
  readonly #listeners = new Set<(session: OrchestratedSession) => void>();
  #asks: RunnerAsks | undefined;

  constructor(options: OrchestratorOptions) {
    this.#options = options;
    this.#launcher = options.launcher;
    this.rows = new OrchestratedRows(options.core.journal.db);
    for (const known of this.rows.unfinished()) this.#known.set(known.id, known);
    const family = { get: (id: string) => this.find(id), childrenOf: (id: string) => this.rows.childrenOf(id) };
    this.limits = new AgentLimits(family, options.now);
    options.runners.listen(this);
  }

  /** Who answers what runners ask. */
  answerWith(asks: RunnerAsks): void {
    this.#asks = asks;
  }

  /** Calls back with each change of a session. */
  onChange(listener: (session: OrchestratedSession) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  // ---- starting

  async start(spec: StartSpec, actor: Actor): Promise<OrchestratedSession> {
    const parentId = actor.principal?.kind === 'agent' ? actor.principal.sessionId : spec.parentId;
    const { depth } =
      actor.principal?.kind === 'agent' ? this.limits.check(parentId!, spec) : { depth: this.#depthOf(parentId) };
    const base = spec.cwd ?? null;
    if (base !== null) requireFolder(base);
    const project = base === null ? null : await projectOf(base);
    const name = spec.name ?? this.#freeName(spec, project);
    this.#requireFree(name, project);
    for (const ref of spec.after) await this.#requireRef(ref, base ?? undefined);
    await this.#options.checkWorkplace(spec);
    const plan = await this.#plan(spec, { cwd: base ?? this.#options.dataDir, project });
    for (const tool of plan.allowedTools) toSessionRule(tool, name);
    const id = this.#launcher.reserve(spec, plan);
    const createdAt = this.#options.now();
    const orchestration: Orchestration = {
      name,
      project,
      driver: spec.driver,
      lifecycle: 'queued',
      waitsFor: null,
      error: null,
      blueprint: spec.blueprint ?? null,
      parentId: parentId ?? null,
      depth,
      group: spec.group ?? null,
      cwd: base ?? '',
      worktree: null,
      prompt: cut(spec.prompt),
      model: plan.model ?? null,
      permissionMode: plan.permissionMode ?? null,
      allowedTools: plan.allowedTools,
      budget: plan.budget,
      spent: { dollars: 0, tokens: 0, minutes: 0 },
      priority: spec.priority,
      after: spec.after,
      startAt: spec.startAt ?? null,
      startedBy: actor.by,
      createdAt,
      startedAt: null,
      finishedAt: null,
      lastResumedAt: null,
      hasRunner: false,
    };
    const known: KnownSession = { id, spec: { ...spec, name, parentId }, orchestration, result: null };
    this.#known.set(id, known);
    try {
      await this.#record(known, 'session.queued', { by: actor.by, insert: true });
    } catch (error) {
      this.#known.delete(id);
      this.#launcher.release(id);
      throw error;
    }
    if (spec.consent !== undefined && project !== null) this.#options.consents.add(project, spec.consent);
    const waitsFor = this.#options.queue?.offer(this.#view(known));
    if (waitsFor === undefined) await this.launch(id);
    else {
      this.#launcher.release(id);
      await this.#change(known, 'session.queued', { waitsFor });
    }
    return this.get(id);
  }

  /** Its turn has come. */
  async launch(id: string): Promise<void> {
    const known = this.#require(id);
    const { spec, orchestration } = known;
    if (orchestration.lifecycle !== 'queued') return;
    try {
      const place = orchestration.cwd
        ? { cwd: orchestration.cwd, worktree: orchestration.worktree }
        : { cwd: '', worktree: null };
      const isReady = place.cwd !== '' && (spec.worktree === undefined || place.worktree !== null);
      const { name, startedBy: by } = orchestration;
      const workplace = isReady ? place : await this.#options.workplaceOf(spec, { id, name, by });
      // a worktree takes a while, and it may have been cancelled meanwhile
      if (known.orchestration.lifecycle !== 'queued') return;
      const plan = await this.#plan(spec, { cwd: workplace.cwd, project: orchestration.project });
      await this.#allowTools(known, plan.allowedTools, 'start');
      const prompt = plan.resultSchema ? schemaPrompt(spec.prompt, plan.resultSchema) : spec.prompt;
      await this.#run(known, plan, {
        start: { how: 'new' },
        prompt,
        change: { cwd: workplace.cwd, worktree: workplace.worktree, startedAt: this.#options.now() },
      });
    } catch (error) {
      await this.#fail(known, (error as Error).message);
      throw error;
    }
  }

  /** A session that a person runs in a terminal with the built-in agent. Its process exists; from now on it reports here. */
  async enroll(enrollment: Enrollment, actor: Actor): Promise<string> {
    const { sessionId, runnerId, cwd } = enrollment;
    const { runners, tokens } = this.#options;
    const token = () => tokens.create({ kind: 'runner', sessionId, runnerId });
    const current = runners.of(sessionId);
    if (current && current.id !== runnerId) throw hostedElsewhere(sessionId);
    // its token was lost with a request that broke off
    if (current) return token();
    requireFolder(cwd);
    const at = this.#options.now();
    const project = await projectOf(cwd);
    const before = this.#load(sessionId);
    if (before && before.orchestration.driver !== 'native') throw hostedElsewhere(sessionId);
    const { runner, write } = runners.create(sessionId, runnerId);
    try {
      if (before) {
        const change = { ...nowRunning(enrollment, at), lastResumedAt: at };
        await this.#change(before, 'session.launched', change, { by: actor.by, write, result: null });
      } else {
        const name = this.#freeName({ blueprint: 'run' }, project);
        const known = terminalSession(enrollment, { name, project, by: actor.by, at });
        this.#known.set(sessionId, known);
        await this.#record(known, 'session.launched', { by: actor.by, insert: true, write });
      }
    } catch (error) {
      runners.forget(runner);
      if (!before) this.#known.delete(sessionId);
      throw error;
    }
    return token();
  }

  async resume(ref: string, request: ResumeRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = (await this.#resolve(ref, project)) ?? (await this.#adopt(ref, request, actor));
    this.#mayTouch(known, actor);
    const { id, orchestration } = known;
    const live = this.#options.core.live.get(id);
    const runner = this.#options.runners.of(id);
    if (!isFinished(orchestration.lifecycle)) throw stillRunning(orchestration.name);
    await this.#applySettings(known, request, actor);
    const { resultSchema } = await this.#plan(known.spec, { cwd: orchestration.cwd, project: orchestration.project });
    const prompt = resultSchema ? schemaPrompt(request.prompt, resultSchema) : request.prompt;
    const lastResumedAt = this.#options.now();
    const begun = { lifecycle: 'running', error: null, finishedAt: null, lastResumedAt } as const;
    if (runner?.send) {
      await this.#change(known, 'session.launched', begun, { by: actor.by, result: null });
      const sent = this.#options.runners.command(runner, { kind: 'prompt', text: prompt }, { timeoutMs: COMMAND_MS });
      if (
        await sent.then(
          () => true,
          () => false,
        )
      )
        return this.#view(known);
    }
    await this.#awaitEnd(known);
    if (live?.process && live.endedAt === null && !this.#options.runners.of(id)) throw inTerminal(known);
    const plan = await this.#plan(known.spec, { cwd: orchestration.cwd, project: orchestration.project });
    const files = request.sessionsDir ? { sessionsDir: request.sessionsDir, logging: request.logging } : {};
    await this.#run(known, plan, { start: { how: 'resume' }, prompt, change: begun, by: actor.by, ...files });
    return this.#view(known);
  }

  async fork(ref: string, request: ForkRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const from = (await this.#resolve(ref, project)) ?? (await this.#adopt(ref, request, actor));
    const { orchestration } = from;
    const name = request.name ?? this.#freeName({ name: `${orchestration.name}-fork` }, orchestration.project);
    this.#requireFree(name, orchestration.project);
    const { prompt, model, permissionMode, allowedTools, budget } = request;
    const spec: StartSpec = {
      ...from.spec,
      name,
      prompt,
      ...(model === undefined ? {} : { model }),
      ...(permissionMode === undefined ? {} : { permissionMode }),
      allowedTools: allowedTools ?? from.spec.allowedTools,
      ...(budget === undefined ? {} : { budget }),
      after: [],
      startAt: undefined,
    };
    const id = randomUUID();
    const plan = await this.#plan(spec, { cwd: orchestration.cwd, project: orchestration.project });
    const known: KnownSession = {
      id,
      spec,
      result: null,
      orchestration: {
        ...orchestration,
        name,
        lifecycle: 'queued',
        prompt: cut(prompt),
        error: null,
        waitsFor: null,
        spent: { dollars: 0, tokens: 0, minutes: 0 },
        allowedTools: plan.allowedTools,
        budget: plan.budget,
        startedBy: actor.by,
        createdAt: this.#options.now(),
        startedAt: null,
        finishedAt: null,
        lastResumedAt: null,
        hasRunner: false,
      },
    };
    this.#known.set(id, known);
    await this.#record(known, 'session.queued', { by: actor.by, insert: true });
    await this.#allowTools(known, plan.allowedTools, actor.by);
    const { atMessage } = request;
    await this.#run(known, plan, {
      start: { how: 'fork', from: from.id, ...(atMessage === undefined ? {} : { atMessage }) },
      prompt,
      change: { startedAt: this.#options.now() },
    });
    return this.#view(known);
  }

  /** Files first: if they can't be restored, the conversation stays as it is. */
  async rewind(ref: string, request: RewindRequest, actor: Actor, project?: string): Promise<Rewound> {
    const known = (await this.#resolve(ref, project)) ?? (await this.#adopt(ref, {}, actor));
    const { id, orchestration } = known;
    if (!isFinished(orchestration.lifecycle)) throw stillRunning(orchestration.name);
    const { messageId, files } = request;
    const before = await this.#messageBefore(known, messageId);
    const plan = await this.#plan(known.spec, { cwd: orchestration.cwd, project: orchestration.project });
    const lastResumedAt = this.#options.now();
    let outcome = { filesChanged: [] as string[], insertions: null as number | null, deletions: null as number | null };
    if (files) {
      const runner = this.#options.runners.of(id) ?? (await this.#idleRunner(known, plan));
      const order = { kind: 'rewind_files', messageId, dryRun: false } as const;
      const done = (await this.#options.runners.command(runner, order, { timeoutMs: COMMAND_MS })) as typeof outcome & {
        error: string | null;
      };
      if (done.error !== null) throw new DomainError('session.no_checkpoint', 409, done.error);
      outcome = done;
    }
    await this.#endRunner(known, 'It goes back to an earlier prompt.');
    if (before === null)
      throw new DomainError(
        'session.nothing_before',
        409,
        'That is the first prompt of the session. Start a new one instead.',
      );
    const begun = { error: null, finishedAt: null, lastResumedAt } as const;
    await this.#run(known, plan, {
      start: { how: 'resume', atMessage: before },
      prompt: request.prompt ?? null,
      change: { ...begun, lifecycle: request.prompt === undefined ? 'succeeded' : 'running' },
      by: actor.by,
    });
    const { filesChanged, insertions, deletions } = outcome;
    return { session: this.#view(known), filesChanged, insertions, deletions };
  }

  async settings(ref: string, change: SessionSettings, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#requireRef(ref, project);
    await this.#applySettings(known, change, actor);
    return this.#view(known);
  }

  /** Out of the queue, or stopped with its process. */
  async cancel(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#requireRef(ref, project);
    this.#mayTouch(known, actor);
    const { id, orchestration } = known;
    if (orchestration.lifecycle === 'queued') {
      await this.#change(
        known,
        'session.finished',
        { lifecycle: 'cancelled', finishedAt: this.#options.now(), waitsFor: null },
        { by: actor.by },
      );
      this.#options.queue?.release(id);
      return this.#view(known);
    }
    if (this.#options.runners.of(id)) {
      const stopping = await this.#options.stops.stopSession(id, { by: actor.by, kill: true });
      await stopping.done;
    }
    if (!isFinished(known.orchestration.lifecycle))
      await this.#change(
        known,
        'session.finished',
        { lifecycle: 'cancelled', finishedAt: this.#options.now() },
        { by: actor.by },
      );
    return this.#view(known);
  }

  async archive(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#requireRef(ref, project);
    if (!isFinished(known.orchestration.lifecycle)) throw stillRunning(known.orchestration.name);
    await this.#endRunner(known, 'It was archived.');
    await this.#change(known, 'session.finished', { lifecycle: 'archived' }, { by: actor.by });
    return this.#view(known);
  }

  /** Forgets that it was started from here. */
  async delete(ref: string, actor: Actor, project?: string): Promise<void> {
    const known = await this.#requireRef(ref, project);
    this.#mayTouch(known, actor);
    if (!isFinished(known.orchestration.lifecycle)) throw stillRunning(known.orchestration.name);
    await this.#endRunner(known, 'It was deleted.');
    await this.#allowTools(known, [], actor.by);
    const { id } = known;
    await this.#options.core.record({
      sessionId: id,
      source: 'operator',
      name: 'session.forgotten',
      payload: { by: actor.by },
      write: () => this.rows.remove(id),
    });
    this.#options.tokens.revoke(id);
    this.#known.delete(id);
  }

  // ---- for the queue

  queued(): OrchestratedSession[] {
    return this.#withLifecycle(['queued']);
  }

  /** Those that have a runner at work, or whose runner starts. */
  active(): OrchestratedSession[] {
    return this.#withLifecycle(['waiting_for_agent', 'running', 'retrying']);
  }

  outcomeOf(ref: string, project: string | null): Lifecycle | undefined {
    const byId = this.find(ref);
    if (byId) return byId.lifecycle;
    const here = this.rows.named(ref, project ?? '');
    return (here[0] ?? this.rows.named(ref)[0])?.orchestration.lifecycle;
  }

  /** What it waits for now. */
  async explain(id: string, waitsFor: string): Promise<void> {
    const known = this.#load(id);
    if (known?.orchestration.lifecycle !== 'queued' || known.orchestration.waitsFor === waitsFor) return;
    await this.#change(known, 'session.advanced', { waitsFor });
  }

  /** It can never start. */
  async giveUp(id: string, why: string): Promise<void> {
    const known = this.#load(id);
    if (known?.orchestration.lifecycle === 'queued') await this.#fail(known, why);
  }

  async move(id: string, change: Partial<Pick<Orchestration, 'priority' | 'startAt'>>, by: string): Promise<void> {
    await this.#change(this.#require(id), 'session.settings', change, { by });
  }

  #withLifecycle(wanted: readonly Lifecycle[]): OrchestratedSession[] {
    const found: OrchestratedSession[] = [];
    for (const known of this.#known.values())
      if (wanted.includes(known.orchestration.lifecycle)) found.push(this.#view(known));
    return found;
  }

  // ---- looking

  find(id: string): OrchestratedSession | undefined {
    const known = this.#known.get(id) ?? this.rows.get(id);
    return known && this.#view(known);
  }

  approvalTimeoutOf(id: string): number | undefined {
    return this.#load(id)?.spec.approvalTimeoutSeconds;
  }

  get(id: string): OrchestratedSession {
    return this.#view(this.#require(id));
  }

  async lookUp(ref: string, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const known = await this.#requireRef(ref, project);
    this.#mayTouch(known, actor);
    return this.#view(known);
  }

  async list(query: OrchestratedQuery, actor: Actor): Promise<OrchestratedSession[]> {
    const project = query.project === undefined ? undefined : await projectOf(query.project);
    const found = this.rows.list({ ...query, project });
    const { principal } = actor;
    return principal?.kind === 'agent' ? found.filter(({ id }) => this.limits.isBelow(id, principal.sessionId)) : found;
  }

  async result(ref: string, actor: Actor, project?: string): Promise<SessionResult> {
    const known = await this.#requireRef(ref, project);
    this.#mayTouch(known, actor);
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
      const sessions = ids.map((id) => this.get(id));
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

  // ---- what runners say

  onAttached(runner: Runner): void {
    const known = this.#known.get(runner.sessionId);
    if (known) this.#tellChildrenSpent(known);
  }

  async onSynced(runner: Runner, sync: RunnerSync) {
    return (await this.#asks?.take(runner, sync)) ?? [];
  }

  draftsFor(runner: Runner, event: RunnerEvent): Draft[] {
    const known = this.#load(runner.sessionId);
    if (!known) return [];
    switch (event.kind) {
      case 'agent':
        return event.event.type === 'turn.started' && isFinished(known.orchestration.lifecycle)
          ? this.#drafts(known, 'session.advanced', { lifecycle: 'running', error: null, finishedAt: null })
          : [];
      case 'ready':
        return this.#isBusy(known)
          ? this.#drafts(known, 'session.advanced', { lifecycle: 'running', waitsFor: null })
          : [];
      case 'retrying':
        this.#options.queue?.refused(event);
        return this.#drafts(known, 'session.advanced', { lifecycle: 'retrying', waitsFor: event.why });
      case 'spent': {
        const { dollars, tokens, ms } = event;
        this.#afterwards(() => this.#tellParent(known));
        const isBack =
          known.orchestration.lifecycle === 'retrying' ? { lifecycle: 'running' as const, waitsFor: null } : {};
        return this.#drafts(known, 'session.advanced', { spent: { dollars, tokens, minutes: ms / 60_000 }, ...isBack });
      }
      case 'result':
        return this.#onResult(known, event.result);
      case 'ended':
        return event.error === null ? [] : this.#drafts(known, 'session.finished', this.#failure(event.error));
      default:
        return [];
    }
  }

  async onGone(runner: Runner, { isExpected, ended }: { isExpected: boolean; ended: number[] }): Promise<void> {
    const known = this.#load(runner.sessionId);
    this.#options.tokens.revoke(runner.sessionId);
    if (!known) return;
    const gone = { hasRunner: false } as const;
    const isOpen = !isFinished(known.orchestration.lifecycle);
    const session = this.#options.core.live.get(known.id);
    if (session && session.endedAt === null)
      await this.#options.core.record({
        sessionId: known.id,
        source: 'runner',
        name: 'session.ended',
        payload: {
          kind: 'agent',
          event: { type: 'session.ended', actor: { id: 'main' }, reason: isExpected ? 'finished' : 'killed' },
        },
      });
    if (!isOpen) return this.#change(known, 'session.advanced', gone);
    const orphans = ended.length > 0 ? ` What it had started was ended: process ${ended.join(', ')}.` : '';
    const why =
      runner.failure ?? (isExpected ? 'Its runner ended before the work was done.' : 'Its runner was killed.');
    await this.#change(known, 'session.finished', { ...this.#failure(`${why}${orphans}`), ...gone });
    this.#settled(known);
  }

  // ---- inside

  #onResult(known: KnownSession, result: TurnResult): Draft[] {
    const { orchestration } = known;
    if (result.background) return [];
    if (result.interrupted) return this.#finish(known, { lifecycle: 'cancelled', error: null }, result);
    if (result.error !== null) return this.#finish(known, { lifecycle: 'failed', error: result.error }, result);
    const schema = known.spec.resultSchema;
    if (schema || known.spec.blueprint !== undefined) {
      this.#afterwards(() => this.#judge(known, result));
      return [];
    }
    return this.#finish(known, { lifecycle: 'succeeded', error: null, waitsFor: null }, result, orchestration);
  }

  /** An answer that does not fit its schema is asked for again, once. */
  async #judge(known: KnownSession, result: TurnResult): Promise<void> {
    const { cwd, project } = known.orchestration;
    const { resultSchema } = await this.#plan(known.spec, { cwd, project });
    if (!resultSchema) return this.#finishNow(known, { lifecycle: 'succeeded', error: null }, result);
    const { json, problems, again } = await judgeResult(result.text ?? '', resultSchema);
    const judged: TurnResult = { ...result, ...(json === undefined ? {} : { json }), problems };
    if (problems.length === 0) return this.#finishNow(known, { lifecycle: 'succeeded', error: null }, judged);
    const runner = this.#options.runners.of(known.id);
    const isSecond = known.result !== null && known.result.problems.length > 0;
    if (!isSecond && runner) {
      known.result = judged;
      await this.#change(known, 'session.advanced', {}, { result: judged });
      const sent = this.#options.runners.command(runner, { kind: 'prompt', text: again }, { timeoutMs: COMMAND_MS });
      if (
        await sent.then(
          () => true,
          () => false,
        )
      )
        return;
    }
    const error = `The answer doesn't match the schema: ${problems.join('; ')}`;
    await this.#finishNow(known, { lifecycle: 'failed', error }, judged);
  }

  #finish(known: KnownSession, change: Partial<Orchestration>, result: TurnResult, _before?: Orchestration): Draft[] {
    this.#afterwards(() => this.#settled(known));
    return this.#drafts(
      known,
      'session.finished',
      { waitsFor: null, ...change, finishedAt: this.#options.now() },
      { result },
    );
  }

  async #finishNow(known: KnownSession, change: Partial<Orchestration>, result: TurnResult): Promise<void> {
    await this.#options.core.recordAll(this.#finish(known, change, result));
  }

  #settled(known: KnownSession): void {
    this.#options.queue?.release(known.id);
    for (const listener of this.#listeners) listener(this.#view(known));
  }

  async #fail(known: KnownSession, error: string): Promise<void> {
    await this.#change(known, 'session.finished', this.#failure(error));
    this.#settled(known);
  }

  #failure(error: string) {
    return { lifecycle: 'failed' as Lifecycle, error, waitsFor: null, finishedAt: this.#options.now() };
  }

  async #run(
    known: KnownSession,
    plan: SessionPlan,
    { change, by, ...launch }: Launch & { change: Partial<Orchestration>; by?: string },
  ): Promise<void> {
    const { orchestration } = known;
    const waiting = launch.prompt === null ? {} : { lifecycle: 'waiting_for_agent' as const };
    try {
      await this.#launcher.launch(known, plan, launch, (write) =>
        this.#change(
          known,
          'session.launched',
          { ...change, ...waiting, hasRunner: true },
          { by, write, result: null },
        ),
      );
    } catch (error) {
      known.orchestration = { ...orchestration, hasRunner: false };
      throw error;
    }
  }

  /** Only to do something with its files. */
  async #idleRunner(known: KnownSession, plan: SessionPlan): Promise<Runner> {
    await this.#run(known, plan, { start: { how: 'resume' }, prompt: null, change: {} });
    const runner = this.#options.runners.of(known.id);
    if (!runner) throw new DomainError('runner.silent', 504, 'The session could not be opened.');
    return runner;
  }

  async #endRunner(known: KnownSession, why: string): Promise<void> {
    const runner = this.#options.runners.of(known.id);
    if (!runner) return;
    this.#options.runners.tell(runner, { kind: 'shutdown', why });
    await this.#awaitEnd(known);
  }

  /** One process for a session at a time: the last one may be about to go. */
  async #awaitEnd({ id }: KnownSession): Promise<void> {
    const runner = this.#options.runners.of(id);
    if (!runner) return;
    this.#options.runners.tell(runner, { kind: 'shutdown', why: 'It is resumed elsewhere.' });
    for (const until = Date.now() + COMMAND_MS; this.#options.runners.of(id); await sleep(LOOK_MS)) {
      if (Date.now() < until) continue;
      const stopping = await this.#options.stops.stopSession(id, { by: 'control', kill: true });
      await stopping.done;
    }
  }

  /** A session of a terminal that has let go of it. */
  async #adopt(ref: string, request: { name?: string | undefined }, actor: Actor): Promise<KnownSession> {
    if (actor.principal) throw unknownSession(ref);
    const { live, left } = this.#options.core;
    const session = live.get(ref) ?? left.find(ref);
    const cwd = session?.startedIn ?? session?.cwd;
    if (!session || !cwd) throw unknownSession(ref);
    if (session.endedAt === null && session.process) throw openInTerminal(ref);
    requireFolder(cwd);
    const project = await projectOf(cwd);
    const name = request.name ?? this.#freeName({ name: `session-${ref.slice(0, 8)}` }, project);
    this.#requireFree(name, project);
    const createdAt = session.startedAt;
    const prompt = session.reading?.firstPrompt ?? session.lastPrompt ?? '';
    const known: KnownSession = {
      id: ref,
      result: null,
      spec: {
        name,
        driver: 'claude',
        parameters: {},
        prompt: prompt || 'Resumed',
        cwd,
        allowedTools: [],
        deniedTools: [],
        after: [],
        priority: 0,
        callback: false,
        logging: false,
      },
      orchestration: {
        name,
        project,
        driver: 'claude',
        lifecycle: 'succeeded',
        waitsFor: null,
        error: null,
        blueprint: null,
        parentId: null,
        depth: 0,
        group: null,
        cwd,
        worktree: null,
        prompt: cut(prompt),
        model: null,
        permissionMode: null,
        allowedTools: [],
        budget: {},
        spent: { dollars: 0, tokens: 0, minutes: 0 },
        priority: 0,
        after: [],
        startAt: null,
        startedBy: 'terminal',
        createdAt,
        startedAt: createdAt,
        finishedAt: session.endedAt,
        lastResumedAt: null,
        hasRunner: false,
      },
    };
    this.#known.set(ref, known);
    await this.#record(known, 'session.advanced', { by: actor.by, insert: true });
    return known;
  }

  async #applySettings(known: KnownSession, change: SessionSettings, actor: Actor): Promise<void> {
    const { model, permissionMode, allowedTools, budget } = change;
    if ([model, permissionMode, allowedTools, budget].every((one) => one === undefined)) return;
    if (actor.principal) throw notItsOwn("An agent can't change the settings of a session.");
    if (allowedTools) await this.#allowTools(known, allowedTools, actor.by);
    const runner = this.#options.runners.of(known.id);
    if (runner && (model !== undefined || permissionMode !== undefined || budget !== undefined)) {
      const order = {
        kind: 'settings',
        ...(model ? { model } : {}),
        ...(permissionMode ? { permissionMode } : {}),
        ...(budget ? { budget } : {}),
      } as const;
      await this.#options.runners.command(runner, order, { timeoutMs: COMMAND_MS });
    }
    await this.#change(
      known,
      'session.settings',
      {
        ...(model === undefined ? {} : { model }),
        ...(permissionMode === undefined ? {} : { permissionMode }),
        ...(allowedTools === undefined ? {} : { allowedTools }),
        ...(budget === undefined ? {} : { budget }),
      },
      { by: actor.by },
    );
  }

  /** As rules of this session: the one pipeline knows no other way to allow something. */
  async #allowTools({ id }: KnownSession, tools: string[], by: string): Promise<void> {
    const { rules } = this.#options;
    const drafts = tools.map((tool) => toSessionRule(tool, id));
    const before = rules.list().filter(({ sessionId, reason }) => sessionId === id && reason === PRE_APPROVED);
    const keyOf = (pattern: unknown) => JSON.stringify(pattern);
    const wanted = new Set(drafts.map(({ pattern }) => keyOf(pattern)));
    const had = new Set(before.map(({ pattern }) => keyOf(pattern)));
    for (const rule of before) if (!wanted.has(keyOf(rule.pattern))) await rules.remove(rule.id, by);
    await rules.import(
      drafts.filter(({ pattern }) => !had.has(keyOf(pattern))),
      by,
    );
  }

  async #plan(spec: StartSpec, { cwd, project }: { cwd: string; project: string | null }): Promise<SessionPlan> {
    const { blueprints, consents } = this.#options;
    return planSession(
      spec,
      { cwd, project: project ?? '' },
      { blueprints, isAgreed: (place, print) => consents.has(place, print) },
    );
  }

  /** What a parent's children have used draws on its budget. */
  #tellParent({ orchestration: { parentId } }: KnownSession): void {
    const parent = parentId === null ? undefined : this.#load(parentId);
    if (!parent) return;
    this.#tellChildrenSpent(parent);
    this.#tellParent(parent);
  }

  #tellChildrenSpent({ id }: KnownSession): void {
    const runner = this.#options.runners.of(id);
    const children = runner ? this.limits.descendants(id) : [];
    if (!runner || children.length === 0) return;
    const sum = (of: (session: OrchestratedSession) => number) =>
      children.reduce((total, child) => total + of(child), 0);
    const spent = {
      dollars: sum(({ spent: { dollars } }) => dollars ?? 0),
      tokens: sum(({ spent: { tokens } }) => tokens),
    };
    this.#options.runners.tell(runner, { kind: 'children_spent', ...spent });
  }

  async #messageBefore({ id, orchestration }: KnownSession, messageId: string): Promise<string | null> {
    const { messageBefore } = await import('./message-before.ts');
    const path = this.#options.core.live.get(id)?.transcriptPath ?? this.#options.core.left.find(id)?.transcriptPath;
    if (!path || !existsSync(path))
      throw new DomainError(
        'session.no_transcript',
        409,
        `The transcript of "${orchestration.name}" is not on this machine.`,
      );
    return messageBefore(path, messageId);
  }

  #mayTouch({ id, orchestration }: KnownSession, { principal }: Actor): void {
    if (principal?.kind !== 'agent' || this.limits.isBelow(id, principal.sessionId)) return;
    throw notItsOwn(`"${orchestration.name}" is not a session that this one started.`);
  }

  #isBusy({ orchestration: { lifecycle } }: KnownSession): boolean {
    return lifecycle === 'waiting_for_agent' || lifecycle === 'retrying';
  }

  #depthOf(parentId: string | undefined): number {
    return parentId === undefined ? 0 : (this.find(parentId)?.depth ?? -1) + 1;
  }

  #requireFree(name: string, project: string | null): void {
    if (this.rows.named(name, project ?? '').length > 0) throw nameTaken(name, project);
  }

  #freeName(
    { name, blueprint }: { name?: string | undefined; blueprint?: string | undefined },
    project: string | null,
  ): string {
    const stem = name ?? blueprint ?? 'session';
    for (let count = name === undefined ? 1 : 0; ; count++) {
      const candidate = count === 0 ? stem : `${stem.slice(0, 55)}-${count}`;
      if (this.rows.named(candidate, project ?? '').length === 0) return candidate;
    }
  }

  #load(id: string): KnownSession | undefined {
    const known = this.#known.get(id) ?? this.rows.get(id);
    if (known) this.#known.set(id, known);
    return known;
  }

  #require(id: string): KnownSession {
    const known = this.#load(id);
    if (!known) throw unknownSession(id);
    return known;
  }

  async #requireRef(ref: string, project: string | undefined): Promise<KnownSession> {
    const known = await this.#resolve(ref, project);
    if (!known) throw unknownSession(ref);
    return known;
  }

  /** By id, or by name: in the project that was given, or wherever there is only one. */
  async #resolve(ref: string, project: string | undefined): Promise<KnownSession | undefined> {
    const byId = this.#load(ref);
    if (byId) return byId;
    const root = project === undefined ? undefined : await projectOf(project);
    const here = root === undefined ? [] : this.rows.named(ref, root);
    const found = here.length > 0 ? here : this.rows.named(ref);
    if (found.length > 1)
      throw ambiguousName(
        ref,
        found.map(({ orchestration }) => orchestration.project),
      );
    return found[0] && this.#load(found[0].id);
  }

  #view({ id, orchestration }: KnownSession): OrchestratedSession {
    return { id, ...orchestration };
  }

  #record(
    known: KnownSession,
    name: EventName,
    { by, insert, write }: { by: string; insert: boolean; write?: () => void },
  ): Promise<unknown> {
    const { id, spec, orchestration } = known;
    return this.#options.core.record({
      sessionId: id,
      source: 'operator',
      name,
      payload: { orchestration, by },
      write: () => {
        if (insert) this.rows.insert(id, spec, orchestration);
        write?.();
      },
    });
  }

  async #change(
    known: KnownSession,
    name: EventName,
    change: Partial<Orchestration>,
    more: { by?: string | undefined; write?: () => void; result?: TurnResult | null } = {},
  ): Promise<void> {
    await this.#options.core.recordAll(this.#drafts(known, name, change, more));
    for (const listener of this.#listeners) listener(this.#view(known));
  }

  #drafts(
    known: KnownSession,
    name: EventName,
    change: Partial<Orchestration>,
    { by, write, result }: { by?: string | undefined; write?: () => void; result?: TurnResult | null } = {},
  ): Draft[] {
    known.orchestration = { ...known.orchestration, ...change };
    if (result !== undefined) known.result = result;
    const { id, orchestration } = known;
    return [
      {
        sessionId: id,
        source: by === undefined ? 'control' : 'operator',
        name,
        payload: { orchestration, ...(by === undefined ? {} : { by }) },
        write: () => {
          this.rows.update(id, orchestration);
          if (result !== undefined) this.rows.setResult(id, result);
          write?.();
        },
      },
    ];
  }

  /** Once what is being written is written. */
  #afterwards(work: () => unknown): void {
    setImmediate(() => {
      Promise.resolve().then(work).catch(this.#options.onError);
    });
  }
}

type EventName = 'session.queued' | 'session.launched' | 'session.advanced' | 'session.finished' | 'session.settings';

const cut = (text: string): string => (text.length > PROMPT_SHOWN ? `${text.slice(0, PROMPT_SHOWN - 1)}…` : text);

export async function projectOf(cwd: string): Promise<string> {
  return (await findPlace(cwd))?.root ?? cwd;
}

function requireFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw new DomainError('session.no_folder', 422, `${path} is not a folder.`);
}

const openInTerminal = (id: string): DomainError =>
  new DomainError(
    'session.in_terminal',
    409,
    `Session ${id} is open in a terminal. Close it there first, or send it a prompt: gctl tell ${id}`,
  );

const inTerminal = ({ id }: KnownSession): DomainError => openInTerminal(id);
