import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { Tunnel, TunnelState } from '../../contract/remote.ts';
import type { DataDir } from '../data-dir.ts';
import { DomainError } from '../errors.ts';
import { isAlive, startTime } from '../processes/process-table.ts';
import type { Probes } from './probes.ts';
import { fixFor, readTunnel, toolFor } from './tunnel-tools.ts';

const FILE = 'tunnel-process.json';
const Saved = z.object({ pid: z.number().int().positive(), start: z.string().nullable() });

const FIRST_MS = 30_000;
const LOOK_MS = 300;
const END_MS = 2_000;
const PAUSES_MS = [1_000, 2_000, 5_000, 15_000, 60_000];
/** One that lasted this long starts again at once. */
const STEADY_MS = 60_000;
const MOST_SAID = 2_000;

export interface TunnelsOptions {
  dataDir: DataDir;
  port: () => number;
  probes: Probes;
  /** A quick tunnel has a new address. */
  onUrl: (url: string) => Promise<void>;
  env: NodeJS.ProcessEnv;
  now: () => number;
  onError: (error: unknown) => void;
}

/** Keeps one tunnel open with the installed tool: starts it, notices when it ends, and starts it again. */
export class Tunnels {
  readonly #options: TunnelsOptions;
  #state: TunnelState | null = null;
  #child: ChildProcess | undefined;
  /** Ends the loop of the current tunnel. */
  #leaving: AbortController | undefined;
  #loop: Promise<void> | undefined;

  constructor(options: TunnelsOptions) {
    this.#options = options;
  }

  describe(): TunnelState | null {
    return this.#state;
  }

  /** One that a killed daemon left behind holds the server's port. */
  async endLeftover(): Promise<void> {
    const { dataDir } = this.#options;
    const saved = dataDir.readOwn(FILE, Saved);
    if (saved?.start && (await isAlive(saved))) process.kill(saved.pid, 'SIGTERM');
  }

  /** Opens it without waiting, as the daemon starts. */
  start(tunnel: Tunnel): void {
    this.#leaving = new AbortController();
    this.#loop = this.#keep(tunnel, this.#leaving.signal).catch(this.#options.onError);
  }

  /** Opens it, and resolves once it leads here. If the tool ends instead, it isn't tried again. */
  async open(tunnel: Tunnel): Promise<void> {
    await this.close();
    this.start(tunnel);
    const until = performance.now() + FIRST_MS;
    while (this.#state?.state === 'starting' && performance.now() < until) await sleep(LOOK_MS);
    if (this.#state?.state === 'connected') return;
    const { error, fix } = this.#state ?? { error: null, fix: null };
    await this.close();
    const said = error ?? `it didn't connect within ${FIRST_MS / 1000} s`;
    throw new DomainError(
      'remote.tunnel_failed',
      409,
      `${toolName(tunnel)} didn't open the tunnel: ${said}${fix ? `\n${fix}` : ''}`,
    );
  }

  async close(): Promise<void> {
    this.#leaving?.abort();
    const child = this.#child;
    if (child && child.exitCode === null) {
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), END_MS);
      await this.#loop;
      clearTimeout(killing);
    }
    await this.#loop;
    this.#loop = undefined;
    this.#state = null;
  }

  async #keep(tunnel: Tunnel, leaving: AbortSignal): Promise<void> {
    for (let attempt = 0; !leaving.aborted; ) {
      const startedAt = this.#options.now();
      const restarts: number = this.#state ? this.#state.restarts + 1 : 0;
      const before: Pick<TunnelState, 'error' | 'fix'> = this.#state ?? { error: null, fix: null };
      this.#state = { tunnel, state: 'starting', since: startedAt, restarts, error: before.error, fix: before.fix };
      const error = await this.#run(tunnel, leaving);
      if (leaving.aborted) return;
      const fix = fixFor(tunnel, error);
      this.#state = { tunnel, state: 'retrying', since: this.#options.now(), restarts, error, fix };
      attempt = this.#options.now() - startedAt > STEADY_MS ? 0 : attempt + 1;
      const pause = PAUSES_MS[Math.min(attempt, PAUSES_MS.length - 1)];
      await sleep(pause, undefined, { signal: leaving }).catch(() => undefined);
    }
  }

  /** Runs the tool until it ends. Returns what it said. */
  async #run(tunnel: Tunnel, leaving: AbortSignal): Promise<string> {
    const { port, probes, dataDir, env } = this.#options;
    const metrics = await freePort();
    const { program, args } = toolFor(tunnel, { port: port(), metrics });
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
    this.#child = child;
    let said = '';
    child.stderr.on('data', (piece: Buffer) => {
      said = (said + piece.toString('utf8')).slice(-MOST_SAID);
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('close', (code) => resolve(lastLines(said) || `it ended with code ${code}`));
    });
    if (child.pid !== undefined) dataDir.writeOwn(FILE, { pid: child.pid, start: await startTime(child.pid) });
    const watching = new AbortController();
    const connected = this.#awaitConnection(tunnel, {
      metrics,
      probes,
      signal: AbortSignal.any([leaving, watching.signal]),
    });
    connected.catch(this.#options.onError);
    const outcome = await ended;
    watching.abort();
    return outcome;
  }

  async #awaitConnection(
    tunnel: Tunnel,
    { metrics, probes, signal }: { metrics: number; probes: Probes; signal: AbortSignal },
  ): Promise<void> {
    while (!signal.aborted) {
      const { port, env } = this.#options;
      const { isConnected, url } = await readTunnel(tunnel, { metrics, port: port(), probes, env });
      if (signal.aborted) return;
      if (isConnected && this.#state) {
        if (url !== undefined) await this.#options.onUrl(url);
        this.#state = { ...this.#state, state: 'connected', since: this.#options.now(), error: null, fix: null };
        return;
      }
      await sleep(LOOK_MS * 3, undefined, { signal }).catch(() => undefined);
    }
  }
}

const toolName = ({ kind }: Tunnel): string => (kind === 'ssh' ? 'ssh' : 'cloudflared');

/** Tools log a lot; the reason is at the end. */
const lastLines = (said: string): string => said.trim().split('\n').slice(-3).join('\n').slice(0, 600);

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}
