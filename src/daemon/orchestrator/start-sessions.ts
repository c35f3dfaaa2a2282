import type { OrchestratedSession, Orchestration, StartSpec } from '../../contract/orchestration.ts';
import type { Actor } from './actor.ts';
import type { FollowRunners } from './follow-runners.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { schemaPrompt } from './results.ts';
import type { SessionLauncher } from './session-launcher.ts';
import { cutPrompt, projectOf, requireFolder, type SessionRegistry } from './session-registry.ts';
import type { Consents, SessionRuns } from './session-runs.ts';
import type { StartQueue } from './start-queue.ts';
import { toSessionRule } from './tool-rules.ts';

/** Prepares the folder a session works in. */
export interface Workplace {
  cwd: string;
  worktree: string | null;
}

export interface StartSessionsOptions {
  registry: SessionRegistry;
  runs: SessionRuns;
  follow: FollowRunners;
  launcher: SessionLauncher;
  consents: Consents;
  dataDir: string;
  /** Throws if the workplace could not be created, before anything is recorded. */
  checkWorkplace: (spec: StartSpec) => Promise<void>;
  workplaceOf: (spec: StartSpec, session: { id: string; name: string; by: string }) => Promise<Workplace>;
  queue?: StartQueue | undefined;
  now: () => number;
}

/** Accepts a request for a new session, and launches it now or when the queue allows it. */
export class StartSessions {
  readonly #options: StartSessionsOptions;

  constructor(options: StartSessionsOptions) {
    this.#options = options;
  }

  /** Throws if the session could not start, before anything is recorded. */
  async check(spec: StartSpec, actor: Actor): Promise<void> {
    await this.#prepare(spec, actor);
  }

  async start(spec: StartSpec, actor: Actor): Promise<OrchestratedSession> {
    const { registry, launcher, consents, queue } = this.#options;
    const { parentId, depth, base, project, name, plan } = await this.#prepare(spec, actor);
    const id = await launcher.reserve(spec, plan);
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
      prompt: cutPrompt(spec.prompt),
      model: plan.model ?? null,
      permissionMode: plan.permissionMode ?? null,
      allowedTools: plan.allowedTools,
      budget: plan.budget,
      spent: { dollars: 0, tokens: 0, minutes: 0 },
      priority: spec.priority,
      after: spec.after,
      startAt: spec.startAt ?? null,
      startedBy: actor.by,
      createdAt: this.#options.now(),
      startedAt: null,
      finishedAt: null,
      lastResumedAt: null,
      hasRunner: false,
      callback: spec.callback && parentId !== undefined ? 'wanted' : null,
    };
    const known: KnownSession = { id, spec: { ...spec, name, parentId }, orchestration, result: null };
    try {
      await registry.add(known, 'session.queued', actor.by);
    } catch (error) {
      launcher.release(id);
      throw error;
    }
    if (spec.consent !== undefined && project !== null) consents.add(project, spec.consent);
    const waitsFor = queue?.offer(registry.view(known));
    if (waitsFor === undefined) await this.launch(id);
    else {
      launcher.release(id);
      await registry.change(known, 'session.queued', { waitsFor });
    }
    return registry.view(known);
  }

  async #prepare(spec: StartSpec, actor: Actor) {
    const { registry, runs, dataDir, checkWorkplace } = this.#options;
    const isAgent = actor.principal?.kind === 'agent';
    const parentId = isAgent ? actor.principal!.sessionId : spec.parentId;
    const { depth } = isAgent ? registry.limits.check(parentId!, spec) : { depth: registry.depthOf(parentId) };
    const base = spec.cwd ?? null;
    if (base !== null) requireFolder(base);
    const project = base === null ? null : await projectOf(base);
    const name = spec.name ?? registry.freeName(spec, project);
    registry.requireFree(name, project);
    for (const ref of spec.after) await registry.requireRef(ref, base ?? undefined);
    await checkWorkplace(spec);
    const plan = await runs.plan(spec, { cwd: base ?? dataDir, project });
    for (const tool of plan.allowedTools) toSessionRule(tool, name);
    return { parentId, depth, base, project, name, plan };
  }

  /** Launches a queued session. */
  async launch(id: string): Promise<void> {
    const { registry, runs, follow, workplaceOf, now } = this.#options;
    const known = registry.require(id);
    const { spec, orchestration } = known;
    if (orchestration.lifecycle !== 'queued') return;
    const { name, startedBy: by, project, cwd, worktree } = orchestration;
    try {
      const isReady = cwd !== '' && (spec.worktree === undefined || worktree !== null);
      const workplace = isReady ? { cwd, worktree } : await workplaceOf(spec, { id, name, by });
      // creating a worktree takes a while, and the session may have been canceled since
      if (known.orchestration.lifecycle !== 'queued') return;
      const plan = await runs.plan(spec, { cwd: workplace.cwd, project });
      await runs.allowTools(known, plan.allowedTools, 'start');
      const prompt = plan.resultSchema ? schemaPrompt(spec.prompt, plan.resultSchema) : spec.prompt;
      await runs.run(known, plan, { start: { how: 'new' }, prompt, change: { ...workplace, startedAt: now() } });
    } catch (error) {
      await follow.fail(known, (error as Error).message);
      throw error;
    }
  }
}
