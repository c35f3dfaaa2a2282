import { setTimeout as sleep } from 'node:timers/promises';
import type { Orchestration, SessionSettings, StartSpec } from '../../contract/orchestration.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import type { Stops } from '../control/stops.ts';
import type { Order, Runner, Runners } from '../drivers/runner/runners.ts';
import { DomainError } from '../errors.ts';
import type { Rules } from '../rules/rules.ts';
import type { Actor } from './actor.ts';
import { notItsOwn } from './errors.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import { planSession, type SessionPlan } from './plan-session.ts';
import type { Launch, SessionLauncher } from './session-launcher.ts';
import type { SessionRegistry } from './session-registry.ts';
import { PRE_APPROVED, toSessionRule } from './tool-rules.ts';

const COMMAND_MS = 30_000;
const LOOK_MS = 50;

export interface Consents {
  has(project: string, fingerprint: string): boolean;
  add(project: string, fingerprint: string): void;
}

export interface SessionRunsOptions {
  registry: SessionRegistry;
  runners: Runners;
  launcher: SessionLauncher;
  blueprints: Blueprints;
  consents: Consents;
  rules: Rules;
  stops: Stops;
}

/** Manages a session's process: plan, start, commands and end. */
export class SessionRuns {
  readonly #options: SessionRunsOptions;

  constructor(options: SessionRunsOptions) {
    this.#options = options;
  }

  async plan(spec: StartSpec, { cwd, project }: { cwd: string; project: string | null }): Promise<SessionPlan> {
    const { blueprints, consents } = this.#options;
    return planSession(
      spec,
      { cwd, project: project ?? '' },
      { blueprints, isAgreed: (place, print) => consents.has(place, print) },
    );
  }

  planOf({ spec, orchestration }: KnownSession): Promise<SessionPlan> {
    return this.plan(spec, orchestration);
  }

  async run(
    known: KnownSession,
    plan: SessionPlan,
    { change, by, ...launch }: Launch & { change: Partial<Orchestration>; by?: string },
  ): Promise<void> {
    const { launcher, registry } = this.#options;
    const { orchestration } = known;
    const waiting = launch.prompt === null ? {} : { lifecycle: 'waiting_for_agent' as const };
    try {
      await launcher.launch(known, plan, launch, (write) =>
        registry.change(
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

  /** The session's runner, or a temporary one that only works on its files. */
  async runnerFor(known: KnownSession, plan: SessionPlan): Promise<Runner> {
    const { runners } = this.#options;
    const before = runners.of(known.id);
    if (before) return before;
    await this.run(known, plan, { start: { how: 'resume' }, prompt: null, change: {} });
    const runner = runners.of(known.id);
    if (!runner) throw new DomainError('runner.silent', 504, "The session couldn't be opened.");
    return runner;
  }

  command(runner: Runner, order: Order): Promise<unknown> {
    return this.#options.runners.command(runner, order, { timeoutMs: COMMAND_MS });
  }

  /** Whether the runner accepted the prompt. It may have been about to end. */
  async prompted(runner: Runner, text: string): Promise<boolean> {
    return this.command(runner, { kind: 'prompt', text }).then(
      () => true,
      () => false,
    );
  }

  /** A session has one process at a time, so the previous one must be gone first. */
  async end({ id }: KnownSession, why: string): Promise<void> {
    const { runners, stops } = this.#options;
    const runner = runners.of(id);
    if (!runner) return;
    runners.tell(runner, { kind: 'shutdown', why });
    for (const until = Date.now() + COMMAND_MS; runners.of(id); await sleep(LOOK_MS)) {
      if (Date.now() < until) continue;
      const stopping = await stops.stopSession(id, { by: 'control', kill: true });
      await stopping.done;
    }
  }

  async applySettings(known: KnownSession, change: SessionSettings, actor: Actor): Promise<void> {
    const { registry, runners } = this.#options;
    const { model, permissionMode, allowedTools, budget } = change;
    if ([model, permissionMode, allowedTools, budget].every((one) => one === undefined)) return;
    if (actor.principal) throw notItsOwn("An agent can't change the settings of a session.");
    if (allowedTools) await this.allowTools(known, allowedTools, actor.by);
    const runner = runners.of(known.id);
    if (runner && (model !== undefined || permissionMode !== undefined || budget !== undefined))
      await this.command(runner, {
        kind: 'settings',
        ...(model ? { model } : {}),
        ...(permissionMode ? { permissionMode } : {}),
        ...(budget ? { budget } : {}),
      });
    const changed = {
      ...(model === undefined ? {} : { model }),
      ...(permissionMode === undefined ? {} : { permissionMode }),
      ...(allowedTools === undefined ? {} : { allowedTools }),
      ...(budget === undefined ? {} : { budget }),
    };
    await registry.change(known, 'session.settings', changed, { by: actor.by });
  }

  /** Stored as rules of this session, because rules are the only way the permission pipeline allows a call. */
  async allowTools({ id }: KnownSession, tools: string[], by: string): Promise<void> {
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
}
