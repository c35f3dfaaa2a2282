import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import {
  type ForkRequest,
  isFinished,
  type OrchestratedSession,
  type ResumeRequest,
  type RewindRequest,
  type Rewound,
  type StartSpec,
} from '../../contract/orchestration.ts';
import type { Core } from '../core.ts';
import type { Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Actor } from './actor.ts';
import { adoptSession } from './adopt-session.ts';
import { openInTerminal, stillRunning } from './errors.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { schemaPrompt } from './results.ts';
import { cutPrompt, type SessionRegistry } from './session-registry.ts';
import type { SessionRuns } from './session-runs.ts';

export interface ContinueSessionsOptions {
  core: Core;
  registry: SessionRegistry;
  runners: Runners;
  runs: SessionRuns;
  now: () => number;
}

/** Continues existing sessions: resume, fork and rewind. */
export class ContinueSessions {
  readonly #options: ContinueSessionsOptions;

  constructor(options: ContinueSessionsOptions) {
    this.#options = options;
  }

  async resume(ref: string, request: ResumeRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const { core, registry, runners, runs, now } = this.#options;
    const known = await this.#find(ref, request, actor, project);
    registry.requireOwn(known, actor);
    const { id, orchestration } = known;
    if (!isFinished(orchestration.lifecycle)) throw stillRunning(orchestration.name);
    await runs.applySettings(known, request, actor);
    const plan = await runs.planOf(known);
    const prompt = plan.resultSchema ? schemaPrompt(request.prompt, plan.resultSchema) : request.prompt;
    const begun = {
      lifecycle: 'running',
      error: null,
      finishedAt: null,
      lastResumedAt: now(),
      callback: known.spec.callback && orchestration.parentId !== null ? 'wanted' : null,
    } as const;
    const runner = runners.of(id);
    if (runner?.send) {
      await registry.change(known, 'session.launched', begun, { by: actor.by, result: null });
      if (await runs.prompted(runner, prompt)) return registry.view(known);
    }
    await runs.end(known, 'It is resumed elsewhere.');
    const live = core.live.get(id);
    if (live?.process && live.endedAt === null && !runners.of(id)) throw openInTerminal(id);
    const files = request.sessionsDir ? { sessionsDir: request.sessionsDir, logging: request.logging } : {};
    await runs.run(known, plan, { start: { how: 'resume' }, prompt, change: begun, by: actor.by, ...files });
    return registry.view(known);
  }

  async fork(ref: string, request: ForkRequest, actor: Actor, project?: string): Promise<OrchestratedSession> {
    const { registry, runs, now } = this.#options;
    const from = await this.#find(ref, request, actor, project);
    const { orchestration } = from;
    const name = request.name ?? registry.freeName({ name: `${orchestration.name}-fork` }, orchestration.project);
    registry.requireFree(name, orchestration.project);
    const { prompt, model, permissionMode, allowedTools, budget, atMessage } = request;
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
    const plan = await runs.plan(spec, orchestration);
    const known: KnownSession = {
      id: randomUUID(),
      spec,
      result: null,
      orchestration: {
        ...orchestration,
        name,
        lifecycle: 'queued',
        prompt: cutPrompt(prompt),
        error: null,
        waitsFor: null,
        spent: { dollars: 0, tokens: 0, minutes: 0 },
        allowedTools: plan.allowedTools,
        budget: plan.budget,
        startedBy: actor.by,
        createdAt: now(),
        startedAt: null,
        finishedAt: null,
        lastResumedAt: null,
        hasRunner: false,
        callback: null,
      },
    };
    await registry.add(known, 'session.queued', actor.by);
    await runs.allowTools(known, plan.allowedTools, actor.by);
    await runs.run(known, plan, {
      start: { how: 'fork', from: from.id, ...(atMessage === undefined ? {} : { atMessage }) },
      prompt,
      change: { startedAt: now() },
    });
    return registry.view(known);
  }

  /** Files first: if they can't be restored, the conversation stays unchanged. */
  async rewind(ref: string, request: RewindRequest, actor: Actor, project?: string): Promise<Rewound> {
    const { registry, runs, now } = this.#options;
    const known = await this.#find(ref, {}, actor, project);
    if (!isFinished(known.orchestration.lifecycle)) throw stillRunning(known.orchestration.name);
    const { messageId, files } = request;
    const before = await this.#messageBefore(known, messageId);
    if (before === null)
      throw new DomainError(
        'session.nothing_before',
        409,
        'That is the first prompt of the session. Start a new one instead.',
      );
    const plan = await runs.planOf(known);
    const lastResumedAt = now();
    let outcome = { filesChanged: [] as string[], insertions: null as number | null, deletions: null as number | null };
    if (files) {
      const runner = await runs.runnerFor(known, plan);
      const order = { kind: 'rewind_files', messageId, dryRun: false } as const;
      const done = (await runs.command(runner, order)) as typeof outcome & { error: string | null };
      if (done.error !== null) throw new DomainError('session.no_checkpoint', 409, done.error);
      outcome = done;
    }
    await runs.end(known, 'It goes back to an earlier prompt.');
    await runs.run(known, plan, {
      start: { how: 'resume', atMessage: before },
      prompt: request.prompt ?? null,
      change: {
        error: null,
        finishedAt: null,
        lastResumedAt,
        lifecycle: request.prompt === undefined ? 'succeeded' : 'running',
      },
      by: actor.by,
    });
    const { filesChanged, insertions, deletions } = outcome;
    return { session: registry.view(known), filesChanged, insertions, deletions };
  }

  async #find(
    ref: string,
    request: { name?: string | undefined },
    actor: Actor,
    project: string | undefined,
  ): Promise<KnownSession> {
    const { core, registry } = this.#options;
    return (await registry.resolve(ref, project)) ?? (await adoptSession(ref, request, actor, { core, registry }));
  }

  async #messageBefore({ id, orchestration }: KnownSession, messageId: string): Promise<string | null> {
    const { core } = this.#options;
    const { messageBefore } = await import('./message-before.ts');
    const path = core.live.get(id)?.transcriptPath ?? core.left.find(id)?.transcriptPath;
    if (!path || !existsSync(path))
      throw new DomainError(
        'session.no_transcript',
        409,
        `The transcript of "${orchestration.name}" is not on this machine.`,
      );
    return messageBefore(path, messageId);
  }
}
