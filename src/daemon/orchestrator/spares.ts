import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNER_FILES } from '../../contract/runner-names.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import { findClaude } from './find-claude.ts';
import { withoutSession } from './launch-runner.ts';

const LOOK_MS = 1000;
/** Keep the spare while the operator looks away briefly. */
const KEEP_MS = 60_000;
/** After this long, a client's settings may no longer match the files. */
const MAX_AGE_MS = 10 * 60_000;
/** Delay after one that failed to start or ended on its own. */
const RETRY_MS = 60_000;

/** A runner with a running client that waits for a session. */
export interface SpareRunner {
  sessionId: string;
  runnerId: string;
  dir: string;
  token: string;
  agentToken: string;
  claude: string;
  /** Hands it to a session. It is no longer ours to end. */
  give(spec: RunnerSpec): void;
  /** It was taken but not needed. */
  discard(): void;
}

export interface SparesOptions {
  program: string;
  /** The runners' folder. */
  folder: string;
  dataDir: string;
  env: NodeJS.ProcessEnv;
  tokens: SessionTokens;
  /** Whether an operator is there who may start a session. */
  isWanted: () => boolean;
  now: () => number;
  onError: (error: unknown) => void;
}

interface Kept extends Omit<SpareRunner, 'give' | 'discard'> {
  child: ChildProcess;
  since: number;
  isReady: boolean;
}

/** Keeps one runner ready while an operator is at the board. A session that takes it starts in half the time. */
export class Spares {
  readonly #options: SparesOptions;
  #kept: Kept | undefined;
  #wantedAt = 0;
  #notBefore = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SparesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#drop();
  }

  /** Undefined: there is none, or it isn't ready. */
  take(): SpareRunner | undefined {
    const kept = this.#kept;
    if (!kept?.isReady) return undefined;
    this.#kept = undefined;
    const { child, since: _, isReady: __, ...spare } = kept;
    return {
      ...spare,
      discard: () => this.#end(kept),
      give: (spec) => {
        child.removeAllListeners();
        child.send(spec, () => {
          if (child.connected) child.disconnect();
          child.unref();
        });
      },
    };
  }

  #look(): void {
    const { isWanted, now, onError } = this.#options;
    if (isWanted()) this.#wantedAt = now();
    const isNeeded = now() - this.#wantedAt < KEEP_MS;
    if (this.#kept && (!isNeeded || now() - this.#kept.since > MAX_AGE_MS)) this.#drop();
    if (this.#kept || !isNeeded || now() < this.#notBefore) return;
    try {
      this.#make();
    } catch (error) {
      this.#notBefore = now() + RETRY_MS;
      onError(error);
    }
  }

  #make(): void {
    const { program, folder, dataDir, env, tokens, now } = this.#options;
    const claude = findClaude(env, { besides: program });
    const sessionId = randomUUID();
    const runnerId = randomUUID();
    const dir = join(folder, runnerId);
    const token = tokens.create({ kind: 'runner', sessionId, runnerId });
    const agentToken = tokens.create({ kind: 'agent', sessionId });
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    const seed: RunnerSpec = {
      ...{ runnerId, sessionId, token, agentToken, dataDir, claude },
      driver: 'claude',
      cwd: dir,
      start: { how: 'new' },
      prompt: null,
      promptId: null,
      deniedTools: [],
      mcpServers: {},
      budget: {},
      spentBefore: { dollars: 0, tokens: 0, ms: 0 },
      lingerMs: 0,
      waitsForDaemon: false,
      prices: [],
      sessionFiles: null,
    };
    writeFileSync(join(dir, RUNNER_FILES.spec), JSON.stringify(seed), { mode: 0o600 });
    const output = openSync(join(dir, RUNNER_FILES.log), 'a', 0o600);
    const child = spawn(process.execPath, [program, dir, '--spare'], {
      cwd: dir,
      env: withoutSession(env),
      detached: true,
      stdio: ['ignore', output, output, 'ipc'],
    });
    closeSync(output);
    const kept: Kept = { sessionId, runnerId, dir, token, agentToken, claude, child, since: now(), isReady: false };
    this.#kept = kept;
    child.on('message', () => {
      kept.isReady = true;
    });
    const onEnd = () => {
      if (this.#kept !== kept) return;
      this.#notBefore = now() + RETRY_MS;
      this.#drop();
    };
    child.on('error', onEnd);
    child.on('exit', onEnd);
  }

  #drop(): void {
    const kept = this.#kept;
    this.#kept = undefined;
    if (kept) this.#end(kept);
  }

  #end({ child, sessionId, dir }: Kept): void {
    child.removeAllListeners();
    // it ends when its connection to us closes
    if (child.connected) child.disconnect();
    this.#options.tokens.revoke(sessionId);
    rmSync(dir, { recursive: true, force: true });
  }
}
