import { randomUUID } from 'node:crypto';
import type { EventsOf } from '../../contract/events.ts';
import type { FanOut, FanOutRequest, FanOutSummary, KeepRequest } from '../../contract/fan-outs.ts';
import { isFinished, type OrchestratedSession, StartSpec } from '../../contract/orchestration.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import { Exclusive } from '../exclusive.ts';
import type { Actor } from '../orchestrator/actor.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import { projectOf } from '../orchestrator/session-registry.ts';
import { WorktreeRefused } from '../worktrees/errors.ts';
import type { Worktrees } from '../worktrees/worktrees.ts';
import { FanOutRows, runName, type StoredFanOut } from './fan-out-rows.ts';
import { ViewFanOuts } from './view-fan-outs.ts';

export interface FanOutsOptions {
  core: Core;
  orchestrator: Orchestrator;
  worktrees: Worktrees;
  now: () => number;
  onError: (error: unknown) => void;
}

/**
 * Sends one prompt to several agents, each in its own worktree. The operator keeps one result; the other worktrees are removed, each with a
 * snapshot. If the daemon is killed, the next one finishes the work.
 */
export class FanOuts {
  readonly #options: FanOutsOptions;
  readonly #rows: FanOutRows;
  readonly #views: ViewFanOuts;
  readonly #inOrder = new Exclusive();

  constructor(options: FanOutsOptions) {
    this.#options = options;
    this.#rows = new FanOutRows(options.core.journal.db);
    this.#views = new ViewFanOuts(options);
  }

  /** Resumes what a killed daemon left unfinished. */
  start(): void {
    for (const fanOut of this.#rows.unsettled())
      this.#background(fanOut.state === 'starting' ? this.#startRuns(fanOut.id) : this.#clear(fanOut.id));
  }

  /** Returns once the fan-out is recorded: checking out many worktrees takes a while. */
  async begin(request: FanOutRequest, actor: Actor): Promise<FanOut> {
    const { orchestrator, worktrees, now } = this.#options;
    for (const [index] of request.runs.entries()) await orchestrator.check(specOf(request, index), actor);
    const project = await projectOf(request.cwd);
    const { ref, branch, commit } = await worktrees.resolveBase(request.cwd, request.base);
    const fanOut: StoredFanOut = {
      id: randomUUID(),
      name: request.name,
      project,
      base: { ref, branch, commit },
      request,
      state: 'starting',
      errors: {},
      kept: null,
      isClearing: false,
      leftovers: [],
      startedBy: actor.by,
      createdAt: now(),
      settledAt: null,
    };
    await this.#save(fanOut, 'fan_out.started', {
      by: actor.by,
      detail: `${request.name}: ${request.runs.length} runs`,
    });
    this.#background(this.#startRuns(fanOut.id));
    return this.#views.full(fanOut);
  }

  async list({ project, limit }: { project?: string | undefined; limit: number }): Promise<FanOutSummary[]> {
    const root = project === undefined ? undefined : await projectOf(project);
    const found = this.#rows.list({ project: root, limit });
    return Promise.all(found.map((fanOut) => this.#views.summary(fanOut)));
  }

  async get(ref: string, project?: string): Promise<FanOut> {
    return this.#views.full(await this.#find(ref, project));
  }

  async keep(ref: string, request: KeepRequest, actor: Actor, project?: string): Promise<FanOut> {
    const { id } = await this.#find(ref, project);
    return this.#inOrder.run(id, async () => {
      const fanOut = this.#rows.get(id)!;
      const winner = (await this.#views.sessions(fanOut)).find(
        ({ name, id: sessionId }) => name === request.run || sessionId === request.run,
      );
      if (!winner) throw new DomainError('fan_out.no_run', 404, `"${fanOut.name}" has no run ${request.run}.`);
      const isAgain = fanOut.state === 'kept' && fanOut.kept?.run === winner.name;
      if (!isAgain) this.#requireOpen(fanOut);
      if (!isFinished(winner.lifecycle))
        throw new DomainError(
          'fan_out.running',
          409,
          `${winner.name} is still running. Wait for it (gctl wait ${winner.name}) or stop it (gctl stop ${winner.name}) first.`,
        );
      const kept = isAgain
        ? fanOut.kept!
        : { run: winner.name, how: request.how, ...(await this.#take(winner, request, actor)) };
      await this.#settle({ ...fanOut, state: 'kept', kept }, 'fan_out.kept', {
        by: actor.by,
        detail: `${kept.run}: ${kept.how === 'merge' ? 'merged into' : 'branch'} ${kept.branch}`,
      });
      return this.#views.full(this.#rows.get(id)!);
    });
  }

  async discard(ref: string, actor: Actor, project?: string): Promise<FanOut> {
    const { id } = await this.#find(ref, project);
    return this.#inOrder.run(id, async () => {
      const fanOut = this.#rows.get(id)!;
      if (fanOut.state !== 'discarded') this.#requireOpen(fanOut);
      await this.#settle({ ...fanOut, state: 'discarded' }, 'fan_out.discarded', { by: actor.by, detail: fanOut.name });
      return this.#views.full(this.#rows.get(id)!);
    });
  }

  /** Where the winner's work went. */
  async #take(
    { id, name }: OrchestratedSession,
    request: KeepRequest,
    { by }: Actor,
  ): Promise<{ branch: string; commit: string }> {
    const { worktrees } = this.#options;
    const worktree = worktrees.ofSession(id);
    if (!worktree) throw new DomainError('fan_out.no_worktree', 409, `The worktree of ${name} is gone.`);
    if (request.how === 'branch') {
      const { branch, message } = request;
      return worktrees.branch(worktree.id, { name: branch, ...(message ? { message } : {}) }, by);
    }
    const { run: _, how: __, ...merge } = request;
    try {
      const { merged } = await worktrees.merge(worktree.id, merge, by);
      return { branch: merged!.into, commit: merged!.commit };
    } catch (error) {
      // already merged: just before the daemon was killed, or by hand
      const { merged } = worktrees.get(worktree.id);
      if (!(error instanceof WorktreeRefused) || error.code !== 'worktree.nothing' || !merged) throw error;
      return { branch: merged.into, commit: merged.commit };
    }
  }

  async #startRuns(id: string): Promise<void> {
    const { orchestrator } = this.#options;
    const { request, startedBy } = this.#rows.get(id)!;
    const errors: Record<string, string> = {};
    const start = async (index: number) => {
      const name = runName(request, index);
      const started = await orchestrator.list({ group: id, name, limit: 1 }, { by: startedBy });
      if (started.length > 0) return;
      await orchestrator.start({ ...specOf(request, index), group: id }, { by: startedBy }).catch((error: Error) => {
        errors[name] = error.message;
      });
    };
    await Promise.all(request.runs.map((_, index) => start(index)));
    await this.#inOrder.run(id, async () => {
      const fanOut = this.#rows.get(id)!;
      const state = fanOut.state === 'starting' ? 'open' : fanOut.state;
      await this.#save({ ...fanOut, state, errors }, 'fan_out.opened', { detail: fanOut.name });
    });
  }

  async #settle(
    fanOut: StoredFanOut,
    name: 'fan_out.kept' | 'fan_out.discarded',
    note: { by: string; detail: string },
  ): Promise<void> {
    const settledAt = fanOut.settledAt ?? this.#options.now();
    await this.#save({ ...fanOut, isClearing: true, leftovers: [], settledAt }, name, note);
    this.#background(this.#clear(fanOut.id));
  }

  /** Ends the runs that weren't kept and removes their worktrees. */
  async #clear(id: string): Promise<void> {
    const { orchestrator, worktrees } = this.#options;
    // first finish or drop an interrupted removal
    await worktrees.start();
    const before = this.#rows.get(id)!;
    const leftovers: StoredFanOut['leftovers'] = [];
    const losers = (await this.#views.sessions(before)).filter(({ name }) => name !== before.kept?.run);
    for (const { id: sessionId, name, lifecycle } of losers) {
      const actor = { by: 'control' };
      try {
        if (!isFinished(lifecycle)) await orchestrator.cancel(sessionId, actor);
        if (lifecycle !== 'archived') await orchestrator.archive(sessionId, actor);
        const worktree = worktrees.ofSession(sessionId);
        if (worktree?.state === 'ready') await worktrees.remove(worktree.id, { force: true }, actor.by);
      } catch (error) {
        leftovers.push({ run: name, why: (error as Error).message });
      }
    }
    await this.#inOrder.run(id, () =>
      this.#save({ ...this.#rows.get(id)!, isClearing: false, leftovers }, 'fan_out.cleared', {
        detail: `${before.name}: ${losers.length - leftovers.length} removed`,
      }),
    );
  }

  async #find(ref: string, project: string | undefined): Promise<StoredFanOut> {
    const root = project === undefined ? undefined : await projectOf(project);
    const found = this.#rows.get(ref) ?? this.#rows.named(ref, root) ?? this.#rows.named(ref, undefined);
    if (found) return found;
    throw new DomainError('fan_out.unknown', 404, `No fan-out "${ref}". \`gctl fan-out list\` shows them.`);
  }

  #requireOpen({ state, name, kept }: StoredFanOut): void {
    if (state === 'open') return;
    const why =
      state === 'starting'
        ? `"${name}" is still starting.`
        : state === 'kept'
          ? `${kept?.run} of "${name}" was already kept.`
          : `"${name}" was discarded.`;
    throw new DomainError('fan_out.not_open', 409, why);
  }

  async #save(
    fanOut: StoredFanOut,
    name: EventsOf<'fan_out'>,
    { by, detail }: { by?: string; detail: string },
  ): Promise<void> {
    await this.#options.core.record({
      sessionId: '',
      source: by === undefined ? 'control' : 'operator',
      name,
      payload: { by: by ?? 'control', detail },
      write: () => this.#rows.save(fanOut),
    });
  }

  #background(work: Promise<void>): void {
    work.catch(this.#options.onError);
  }
}

function specOf(request: FanOutRequest, index: number): StartSpec {
  const { runs, name: _, base, setup, parameters, ...shared } = request;
  const { parameters: own = {}, ...variant } = runs[index]!;
  return StartSpec.parse({
    ...shared,
    ...variant,
    name: runName(request, index),
    parameters: { ...parameters, ...own },
    worktree: { base, setup },
  });
}
