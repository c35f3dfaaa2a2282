import { randomUUID } from 'node:crypto';
import type { Orchestration, StartSpec } from '../../contract/orchestration.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { Runner, Runners } from '../drivers/runner/runners.ts';
import { findClaude } from './find-claude.ts';
import { launchRunner } from './launch-runner.ts';
import type { KnownSession } from './orchestrated-rows.ts';
import type { SessionPlan } from './plan-session.ts';
import type { SpareRunner, Spares } from './spares.ts';

export interface LauncherOptions {
  runners: Runners;
  tokens: SessionTokens;
  dataDir: string;
  /** The built file of the runner. */
  program: string;
  env: NodeJS.ProcessEnv;
  prices: () => unknown;
  lingerMs: () => number;
  isStrict: (project: string) => boolean;
  /** Environment variables for processes in a folder. */
  envIn: (cwd: string) => Record<string, string>;
  spares?: Pick<Spares, 'take'> | undefined;
}

export interface Launch {
  start: RunnerSpec['start'];
  /** null: still waiting for a prompt. */
  prompt: string | null;
  sessionsDir?: string | undefined;
  logging?: boolean | undefined;
}

/** Gives a session a process: a new one, or a spare. */
export class SessionLauncher {
  readonly #options: LauncherOptions;
  /** Spares reserved for sessions, by session id. */
  readonly #spares = new Map<string, SpareRunner>();

  constructor(options: LauncherOptions) {
    this.#options = options;
  }

  /** Returns the id of the future session, a spare's if one fits: most options of a spare are fixed when it starts. */
  async reserve({ driver, worktree, after, startAt, cwd }: StartSpec, plan: SessionPlan): Promise<string> {
    const isNow = worktree === undefined && after.length === 0 && startAt === undefined;
    const { tools, deniedTools, mcpServers, model, permissionMode, systemPrompt } = plan;
    const isPlain = tools === undefined && deniedTools.length === 0 && Object.keys(mcpServers).length === 0;
    const hasOwnEnv = cwd !== undefined && Object.keys(this.#options.envIn(cwd)).length > 0;
    const fits = driver === 'claude' && isNow && isPlain && !hasOwnEnv && permissionMode !== 'bypassPermissions';
    const place = { cwd: cwd ?? null, model, permissionMode, systemPrompt };
    const spare = fits ? await this.#options.spares?.take(place) : undefined;
    if (!spare) return randomUUID();
    this.#spares.set(spare.sessionId, spare);
    return spare.sessionId;
  }

  /** Discards the spare of a session that doesn't start now. */
  release(id: string): void {
    this.#spares.get(id)?.discard();
    this.#spares.delete(id);
  }

  /** `begin` records the start together with the runner's row. The process starts after that. */
  async launch(
    known: KnownSession,
    plan: SessionPlan,
    launch: Launch,
    begin: (write: () => void) => Promise<void>,
  ): Promise<void> {
    const { runners, env, program } = this.#options;
    const { id, spec } = known;
    const spare = this.#spares.get(id);
    this.#spares.delete(id);
    const claude = spec.driver === 'claude' ? (spare?.claude ?? findClaude(env, { besides: program })) : null;
    const { runner, write } = runners.create(id, spare?.runnerId);
    try {
      await begin(write);
      const runnerSpec = this.#specOf(known, plan, launch, { runner, spare, claude });
      if (spare) spare.give(runnerSpec);
      else
        launchRunner({
          program,
          dir: runner.dir,
          env: { ...env, ...this.#options.envIn(runnerSpec.cwd) },
          spec: runnerSpec,
          onFailure: (why) => runners.fail(runner, why),
        });
    } catch (error) {
      runners.forget(runner);
      spare?.discard();
      throw error;
    }
  }

  #specOf(
    { id, spec, orchestration }: KnownSession,
    plan: SessionPlan,
    { start, prompt, sessionsDir = spec.sessionsDir, logging = spec.logging }: Launch,
    { runner, spare, claude }: { runner: Runner; spare: SpareRunner | undefined; claude: string | null },
  ): RunnerSpec {
    const { tokens, dataDir, prices, lingerMs, isStrict } = this.#options;
    const { name, blueprint, project, budget, spent, cwd } = orchestration;
    const { allowedTools: _, budget: __, ...planned } = plan;
    return {
      runnerId: runner.id,
      sessionId: id,
      token: spare?.token ?? tokens.create({ kind: 'runner', sessionId: id, runnerId: runner.id }),
      agentToken: spare?.agentToken ?? tokens.create({ kind: 'agent', sessionId: id }),
      dataDir,
      driver: spec.driver,
      cwd,
      claude,
      start,
      prompt,
      promptId: prompt === null ? null : randomUUID(),
      ...planned,
      ...modelOf(orchestration),
      budget,
      spentBefore: { dollars: spent.dollars ?? 0, tokens: spent.tokens, ms: spent.minutes * 60_000 },
      lingerMs: lingerMs(),
      waitsForDaemon: project !== null && isStrict(project),
      prices: prices(),
      sessionFiles: sessionsDir === undefined ? null : { dir: sessionsDir, name, blueprint, logging },
    };
  }
}

const modelOf = ({ model, permissionMode }: Orchestration): Partial<Pick<RunnerSpec, 'model' | 'permissionMode'>> => ({
  ...(model === null ? {} : { model }),
  ...(permissionMode === null ? {} : { permissionMode: permissionMode as NonNullable<RunnerSpec['permissionMode']> }),
});
