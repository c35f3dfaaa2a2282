import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentError } from '../errors.ts';
import type { Emit } from '../events.ts';
import { Shell, type ShellLimits } from './shell.ts';
import { AGENT_MARK, startSweeper } from './sweeper.ts';

export const SHELL_LIMITS: ShellLimits = {
  memory: 1024 * 1024,
  disk: 32 * 1024 * 1024,
  inline: 30_000,
  graceMs: 2000,
  killMs: 5000,
};

export interface ShellsOptions {
  emit: Emit;
  env: NodeJS.ProcessEnv;
  limits?: Partial<ShellLimits>;
  /** Maximum number of running shells. */
  most?: number;
  now?: () => number;
}

const MOST_RUNNING = 32;
/** Ended shells whose output can still be read. */
const MOST_ENDED = 64;

/** Keeps programs from waiting for an editor, a pager or a password, and hides our own secrets from them. */
const FIXED_ENV = { GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0', GIT_PAGER: 'cat', PAGER: 'cat', TERM: 'dumb' };
const OWN_SECRETS = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_CUSTOM_HEADERS',
  'GROUNDCONTROL_TOKEN',
  'GROUNDCONTROL_AGENT_TOKEN',
];

export interface StartShell {
  command: string;
  callId?: string;
  argv: (folder: string) => [string, ...string[]];
  cwd: string;
  /** Added to the environment. */
  env?: NodeJS.ProcessEnv;
}

/** All shells of one agent. None outlives the agent: a helper process ends them if we are killed. */
export class Shells {
  readonly #options: ShellsOptions;
  readonly #limits: ShellLimits;
  readonly #shells = new Map<string, Shell>();
  readonly #mark = randomBytes(12).toString('hex');
  #folder: string | null = null;
  #sweeper: ChildProcess | null = null;

  constructor(options: ShellsOptions) {
    this.#options = options;
    this.#limits = { ...SHELL_LIMITS, ...options.limits };
  }

  get limits(): ShellLimits {
    return this.#limits;
  }

  /** Throws if too many are running. */
  start({ command, callId, argv, cwd, env = {} }: StartShell): Shell {
    const { emit, now = Date.now, most = MOST_RUNNING } = this.#options;
    const running = this.list().filter(({ state }) => state === 'running');
    if (running.length >= most)
      throw new AgentError('shell.limit', `${most} shells are running already. End one with KillShell first.`);
    this.#sweeper ??= startSweeper(this.#mark);
    const id = `sh-${randomBytes(4).toString('hex')}`;
    const folder = join(this.#root(), id);
    mkdirSync(folder, { mode: 0o700 });
    const shell = new Shell({
      id,
      command,
      callId: callId ?? null,
      argv: argv(folder),
      cwd,
      env: { ...this.#environment(), ...env, [AGENT_MARK]: this.#mark },
      outputPath: join(folder, 'output.txt'),
      limits: this.#limits,
      now,
    });
    this.#shells.set(id, shell);
    this.#forgetOldest();
    void emit({ type: 'shell.started', shellId: id, command, createdAt: shell.createdAt });
    void shell.ended.then(() => {
      const state = shell.state === 'killed' ? 'killed' : 'exited';
      void emit({ type: 'shell.ended', shellId: id, state, exitCode: shell.exitCode });
    });
    return shell;
  }

  get(id: string): Shell {
    const shell = this.#shells.get(id);
    if (!shell) throw new ShellNotFound(id);
    return shell;
  }

  list(): Shell[] {
    return [...this.#shells.values()];
  }

  /** Drops a foreground command that ended and left nothing behind: it won't be looked up again. */
  forget(shell: Shell): void {
    this.#shells.delete(shell.id);
    if (shell.outputPath === null && this.#folder)
      rmSync(join(this.#folder, shell.id), { recursive: true, force: true });
  }

  /** Ends everything. Returns the pids that survived. */
  async close(): Promise<number[]> {
    const left = await Promise.all(this.list().map((shell) => shell.kill()));
    this.#sweeper?.stdin?.end();
    if (this.#folder) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
    return left.flat();
  }

  #environment(): NodeJS.ProcessEnv {
    const env: NodeJS.ProcessEnv = { ...this.#options.env, ...FIXED_ENV };
    for (const name of OWN_SECRETS) delete env[name];
    return env;
  }

  /** Outside the workspace, so that a search there doesn't find its own output. */
  #root(): string {
    this.#folder ??= mkdtempSync(join(tmpdir(), 'gc-shells-'));
    return this.#folder;
  }

  #forgetOldest(): void {
    const ended = this.list().filter(({ state }) => state !== 'running');
    for (const shell of ended.slice(0, Math.max(0, ended.length - MOST_ENDED))) this.#shells.delete(shell.id);
  }
}

export class ShellNotFound extends AgentError {
  constructor(id: string) {
    super('shell.not_found', `ShellNotFound: there is no shell ${id}.`);
  }
}
