import {
  isFinished,
  type Lifecycle,
  type OrchestratedSession,
  type Orchestration,
} from '../../contract/orchestration.ts';
import type { RunnerEvent, RunnerSync, TurnResult } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Core } from '../core.ts';
import type { RunnerAsks } from '../drivers/runner/runner-asks.ts';
import type { Gone, Runner, RunnerListener, Runners } from '../drivers/runner/runners.ts';
import type { Draft } from '../journal/journal.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { judgeResult } from './results.ts';
import type { SessionRegistry } from './session-registry.ts';
import type { SessionRuns } from './session-runs.ts';
import type { StartQueue } from './start-queue.ts';

export interface FollowRunnersOptions {
  core: Core;
  registry: SessionRegistry;
  runners: Runners;
  runs: SessionRuns;
  tokens: SessionTokens;
  queue?: StartQueue | undefined;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Turns runners' reports into the lifecycle of their sessions, including the validated result. */
export class FollowRunners implements RunnerListener {
  readonly #options: FollowRunnersOptions;
  #asks: RunnerAsks | undefined;

  constructor(options: FollowRunnersOptions) {
    this.#options = options;
  }

  /** Answers runners' questions. */
  answerWith(asks: RunnerAsks): void {
    this.#asks = asks;
  }

  onAttached(runner: Runner): void {
    const known = this.#options.registry.load(runner.sessionId);
    if (known) this.#tellChildrenSpent(known);
  }

  async onSynced(runner: Runner, sync: RunnerSync) {
    return (await this.#asks?.take(runner, sync)) ?? [];
  }

  draftsFor(runner: Runner, event: RunnerEvent): Draft[] {
    const { registry, queue } = this.#options;
    const known = registry.load(runner.sessionId);
    if (!known) return [];
    const { lifecycle } = known.orchestration;
    switch (event.kind) {
      case 'agent':
        // a prompt typed in its terminal, or delivered to it
        return event.event.type === 'turn.started' && isFinished(lifecycle)
          ? registry.drafts(known, 'session.advanced', { lifecycle: 'running', error: null, finishedAt: null })
          : [];
      case 'ready':
        return lifecycle === 'waiting_for_agent' || lifecycle === 'retrying'
          ? registry.drafts(known, 'session.advanced', { lifecycle: 'running', waitsFor: null })
          : [];
      case 'retrying':
        queue?.refused(event);
        return registry.drafts(known, 'session.advanced', { lifecycle: 'retrying', waitsFor: event.why });
      case 'spent': {
        const { dollars, tokens, ms } = event;
        this.#afterwards(() => this.#tellParent(known));
        const back = lifecycle === 'retrying' ? { lifecycle: 'running' as const, waitsFor: null } : {};
        return registry.drafts(known, 'session.advanced', {
          spent: { dollars, tokens, minutes: ms / 60_000 },
          ...back,
        });
      }
      case 'result':
        return this.#onResult(known, event.result);
      case 'ended':
        return event.error === null
          ? []
          : registry.drafts(known, 'session.finished', { ...this.#failure(event.error), ...callBack(known) });
      default:
        return [];
    }
  }

  async onGone(runner: Runner, { isExpected, ended, unreadable }: Gone): Promise<void> {
    const { core, registry, tokens } = this.#options;
    const known = registry.load(runner.sessionId);
    tokens.revoke(runner.sessionId);
    if (!known) return;
    const gone = { hasRunner: false } as const;
    const isOpen = !isFinished(known.orchestration.lifecycle);
    const session = core.live.get(known.id);
    if (session && session.endedAt === null)
      await core.record({
        sessionId: known.id,
        source: 'runner',
        name: 'session.ended',
        payload: {
          kind: 'agent',
          event: { type: 'session.ended', actor: { id: 'main' }, reason: isExpected ? 'finished' : 'killed' },
        },
      });
    if (!isOpen) return registry.change(known, 'session.advanced', gone);
    const orphans = ended.length > 0 ? ` Ended the processes it had started: ${ended.join(', ')}.` : '';
    const lost = unreadable > 0 ? ` ${unreadable} of its last events can't be read: see ${runner.dir}.` : '';
    const why =
      runner.failure ?? (isExpected ? 'Its runner ended before the work was done.' : 'Its runner was killed.');
    await registry.change(known, 'session.finished', {
      ...this.#failure(`${why}${orphans}${lost}`),
      ...gone,
      ...callBack(known),
    });
    this.#settled(known);
  }

  async fail(known: KnownSession, error: string): Promise<void> {
    await this.#options.registry.change(known, 'session.finished', { ...this.#failure(error), ...callBack(known) });
    this.#settled(known);
  }

  #onResult(known: KnownSession, result: TurnResult): Draft[] {
    if (result.background) return [];
    if (result.interrupted) return this.#finish(known, { lifecycle: 'cancelled', error: null }, result);
    if (result.error !== null) return this.#finish(known, { lifecycle: 'failed', error: result.error }, result);
    if (!known.spec.resultSchema && known.spec.blueprint === undefined)
      return this.#finish(known, { lifecycle: 'succeeded', error: null }, result);
    // recorded first, so that the next daemon can validate it if this one is killed
    const unjudged = { ...result, problems: known.result?.problems ?? [], isJudged: false };
    this.#afterwards(() => this.#judge(known, result));
    return this.#options.registry.drafts(known, 'session.advanced', {}, { result: unjudged });
  }

  /** Validates results that a killed daemon didn't get to. */
  carryOn(): void {
    const { registry } = this.#options;
    for (const { id } of registry.withLifecycle(['waiting_for_agent', 'running', 'retrying'])) {
      const known = registry.require(id);
      const { result } = known;
      if (result?.isJudged === false) this.#afterwards(() => this.#judge(known, result));
    }
  }

  /** Asks once more for an answer that doesn't match its schema. */
  async #judge(known: KnownSession, result: TurnResult): Promise<void> {
    const { runs, runners, registry } = this.#options;
    const { resultSchema } = await runs.planOf(known);
    if (!resultSchema)
      return this.#finishNow(known, { lifecycle: 'succeeded', error: null }, { ...result, isJudged: true });
    const { json, problems, again } = await judgeResult(result.text ?? '', resultSchema);
    const judged: TurnResult = { ...result, ...(json === undefined ? {} : { json }), problems, isJudged: true };
    if (problems.length === 0) return this.#finishNow(known, { lifecycle: 'succeeded', error: null }, judged);
    const runner = runners.of(known.id);
    const isSecond = known.result !== null && known.result.problems.length > 0;
    if (!isSecond && runner) {
      await registry.change(known, 'session.advanced', {}, { result: judged });
      if (await runs.prompted(runner, again)) return;
    }
    const error = `The answer doesn't match the schema: ${problems.join('; ')}`;
    await this.#finishNow(known, { lifecycle: 'failed', error }, judged);
  }

  #finish(known: KnownSession, change: Partial<Orchestration>, result: TurnResult): Draft[] {
    const { registry, now } = this.#options;
    this.#afterwards(() => this.#settled(known));
    const finished = { waitsFor: null, ...change, finishedAt: now(), ...callBack(known) };
    return registry.drafts(known, 'session.finished', finished, { result });
  }

  async #finishNow(known: KnownSession, change: Partial<Orchestration>, result: TurnResult): Promise<void> {
    await this.#options.core.recordAll(this.#finish(known, change, result));
  }

  #settled(known: KnownSession): void {
    this.#options.queue?.release(known.id);
    this.#options.registry.announce(known);
  }

  #failure(error: string) {
    return { lifecycle: 'failed' as Lifecycle, error, waitsFor: null, finishedAt: this.#options.now() };
  }

  /** Children also spend from their parent's budget. */
  #tellParent({ orchestration: { parentId } }: KnownSession): void {
    const parent = parentId === null ? undefined : this.#options.registry.load(parentId);
    if (!parent) return;
    this.#tellChildrenSpent(parent);
    this.#tellParent(parent);
  }

  #tellChildrenSpent({ id }: KnownSession): void {
    const { runners, registry } = this.#options;
    const runner = runners.of(id);
    const children = runner ? registry.limits.descendants(id) : [];
    if (!runner || children.length === 0) return;
    const sum = (of: (session: OrchestratedSession) => number) =>
      children.reduce((total, child) => total + of(child), 0);
    const spent = {
      dollars: sum(({ spent: { dollars } }) => dollars ?? 0),
      tokens: sum(({ spent: { tokens } }) => tokens),
    };
    runners.tell(runner, { kind: 'children_spent', ...spent });
  }

  /** Runs after the current transaction. */
  #afterwards(work: () => unknown): void {
    setImmediate(() => {
      Promise.resolve().then(work).catch(this.#options.onError);
    });
  }
}

const callBack = ({ orchestration }: KnownSession): Partial<Orchestration> =>
  orchestration.callback === 'wanted' ? { callback: 'due' } : {};
