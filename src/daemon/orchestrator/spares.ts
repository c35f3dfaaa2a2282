import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { RUNNER_FILES } from '../../contract/runner-names.ts';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { SessionTokens } from '../access/session-tokens.ts';
import type { SpareClients } from '../processes/spare-clients.ts';
import { findClaude } from './find-claude.ts';
import { withoutSession } from './launch-runner.ts';

const LOOK_MS = 1000;
/** Keep the spare while the operator looks away briefly. */
const KEEP_MS = 60_000;
/** After this long, a client's settings may no longer match the files. */
const MAX_AGE_MS = 10 * 60_000;
/** Delay after one that failed to start or ended on its own. */
const RETRY_MS = 60_000;

/** What a session's client is started with. */
export interface SparePlace extends Pick<RunnerSpec, 'model' | 'permissionMode' | 'systemPrompt'> {
  /** null: a folder that doesn't exist yet. */
  cwd: string | null;
}

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
  clients: SpareClients;
  /** A fingerprint of what a client reads in a folder at its start. null: it must not start there ahead of time. */
  contextOf: (cwd: string) => Promise<string | null>;
  /** Whether an operator is there who may start a session. */
  isWanted: () => boolean;
  now: () => number;
  onError: (error: unknown) => void;
}

interface Kept extends Omit<SpareRunner, 'give' | 'discard'> {
  child: ChildProcess;
  since: number;
  isReady: boolean;
  /** Where it is started, and what it has read there. Absent: nowhere yet, so that it can serve any folder, less quickly. */
  at?: { place: SparePlace; context: string } | undefined;
}

/**
 * Keeps one runner ready while an operator is at the board. If the last two sessions began in the same place, its client has started in that
 * place and only waits for the prompt. Otherwise it is parked, and goes to its folder when a session takes it.
 */
export class Spares {
  readonly #options: SparesOptions;
  #kept: Kept | undefined;
  #isMaking = false;
  #lastPlaces: SparePlace[] = [];
  #wantedAt = 0;
  #notBefore = 0;
  #isStopped = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SparesOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = setInterval(() => this.#look(), LOOK_MS);
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#timer);
    this.#drop();
  }

  /** Undefined: there is none, it isn't ready, or it started in another place. */
  async take(place: SparePlace): Promise<SpareRunner | undefined> {
    this.#lastPlaces = [place, ...this.#lastPlaces].slice(0, 2);
    const kept = this.#kept;
    if (!kept?.isReady) {
      // the next one can start in this place
      if (kept && !kept.at && this.#isSamePlaceAgain()) this.#drop();
      return undefined;
    }
    // nobody else gets it meanwhile
    this.#kept = undefined;
    if (kept.at && !(await this.#isStill(kept.at, place))) {
      this.#end(kept);
      return undefined;
    }
    const { child, since: _, isReady: __, at: ___, ...spare } = kept;
    return {
      ...spare,
      discard: () => this.#end(kept),
      give: (spec) => {
        this.#options.clients.forgetSoon(spec.sessionId);
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
    if (this.#kept || this.#isMaking || !isNeeded || now() < this.#notBefore) return;
    this.#isMaking = true;
    this.#make()
      .catch((error: unknown) => {
        this.#notBefore = now() + RETRY_MS;
        onError(error);
      })
      .finally(() => {
        this.#isMaking = false;
      });
  }

  #isSamePlaceAgain(): boolean {
    const [last, before] = this.#lastPlaces;
    return last !== undefined && isDeepStrictEqual(last, before);
  }

  async #isStill({ place, context }: NonNullable<Kept['at']>, wanted: SparePlace): Promise<boolean> {
    return isDeepStrictEqual(place, wanted) && context === (await this.#options.contextOf(place.cwd ?? ''));
  }

  /** Where the next session will probably start. */
  async #foresee(): Promise<Kept['at']> {
    const [last] = this.#lastPlaces;
    if (!last?.cwd || !this.#isSamePlaceAgain()) return undefined;
    const context = await this.#options.contextOf(last.cwd);
    return context === null ? undefined : { place: last, context };
  }

  async #make(): Promise<void> {
    const { program, folder, dataDir, env, tokens, now, clients } = this.#options;
    const at = await this.#foresee();
    if (this.#isStopped) return;
    const claude = findClaude(env, { besides: program });
    const sessionId = randomUUID();
    const runnerId = randomUUID();
    const dir = join(folder, runnerId);
    const token = tokens.create({ kind: 'runner', sessionId, runnerId });
    const agentToken = tokens.create({ kind: 'agent', sessionId });
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    clients.add(sessionId);
    const { cwd: _, ...options } = at?.place ?? {};
    const seed: RunnerSpec = {
      ...{ runnerId, sessionId, token, agentToken, dataDir, claude },
      driver: 'claude',
      cwd: at?.place.cwd ?? dir,
      ...withoutUndefined(options),
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
    const kept: Kept = { sessionId, runnerId, dir, token, agentToken, claude, child, since: now(), isReady: false, at };
    this.#kept = kept;
    child.on('message', () => void this.#onReady(kept));
    const onEnd = () => {
      if (this.#kept !== kept) return;
      this.#notBefore = now() + RETRY_MS;
      this.#drop();
    };
    child.on('error', onEnd);
    child.on('exit', onEnd);
  }

  async #onReady(kept: Kept): Promise<void> {
    // it has read its folder at some moment in between
    const isCurrent = !kept.at || (await this.#isStill(kept.at, kept.at.place));
    if (isCurrent) kept.isReady = true;
    else if (this.#kept === kept) this.#drop();
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
    this.#options.clients.forgetSoon(sessionId);
    rmSync(dir, { recursive: true, force: true });
  }
}

const withoutUndefined = <T extends object>(record: T): { [K in keyof T]: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
