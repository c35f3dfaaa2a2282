import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { CHALLENGE_HEADER, Challenge } from '../contract/access.ts';
import { Credentials, DATA_FILES, DaemonFile } from '../contract/daemon.ts';
import { ErrorBody } from '../contract/errors.ts';
import { findDemoDataDir } from './demo-pointer.ts';
import { CliError, EXIT } from './exit.ts';
import { complain } from './output.ts';
import { isHomeDataDir } from './places.ts';

interface Credential {
  token: string;
  /** Read-only: for each act the daemon gives this process a challenge, if it runs in one of the operator's terminals. */
  isLocal: boolean;
}

/** Reading what is for operators only takes the same proof as a change. */
interface ReadOptions {
  act?: boolean;
}

/** The running daemon, found through its data dir. */
export class Api {
  readonly url: string;
  readonly #credential: Credential;

  constructor(url: string, credential: Credential) {
    this.url = url;
    this.#credential = credential;
  }

  get<T extends z.ZodType>(path: string, schema: T, options: ReadOptions = {}): Promise<z.infer<T>> {
    return this.#call('GET', path, schema, options);
  }

  post<T extends z.ZodType>(path: string, schema: T, body: unknown = {}): Promise<z.infer<T>> {
    return this.#call('POST', path, schema, { act: true, body });
  }

  put<T extends z.ZodType>(path: string, schema: T, body: unknown): Promise<z.infer<T>> {
    return this.#call('PUT', path, schema, { act: true, body });
  }

  /** The answer, piece by piece. */
  async stream(path: string, { act = false }: ReadOptions = {}): Promise<AsyncIterable<Uint8Array>> {
    const headers = { ...this.#authorization(), ...(act ? await this.prove() : {}) };
    const response = await fetch(this.url + path, { headers });
    if (!response.ok || !response.body) throw refusal(response.status, await response.text(), `GET ${path}`);
    return response.body as unknown as AsyncIterable<Uint8Array>;
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path, z.unknown(), { act: true });
  }

  /** Headers for one act of this process. Throws if it may not act. */
  async prove(): Promise<Record<string, string>> {
    if (!this.#credential.isLocal) return {};
    const { challenge } = await this.#call('POST', '/api/challenge', Challenge, {});
    return { [CHALLENGE_HEADER]: challenge };
  }

  #authorization(): Record<string, string> {
    return { authorization: `Bearer ${this.#credential.token}` };
  }

  async #call<T extends z.ZodType>(
    method: string,
    path: string,
    schema: T,
    { act = false, body }: ReadOptions & { body?: unknown },
  ): Promise<z.infer<T>> {
    const headers = { ...this.#authorization(), ...(act ? await this.prove() : {}) };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      throw new CliError(`Lost the connection to the daemon at ${this.url} (${reason}).`, EXIT.notRunning);
    });
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text, `${method} ${path}`);
    return schema.parse(text ? JSON.parse(text) : undefined);
  }
}

/** The daemon refused, and said why. */
export class Refused extends CliError {
  readonly reason: string | undefined;

  constructor(message: string, { exitCode, reason }: { exitCode: number; reason: string | undefined }) {
    super(message, exitCode);
    this.reason = reason;
  }
}

function refusal(status: number, text: string, asked: string): Refused {
  const error = ErrorBody.safeParse(parse(text)).data?.error;
  const exitCode = status === 400 ? EXIT.usage : EXIT.failed;
  return new Refused(error?.message ?? `${asked} failed with status ${status}.`, { exitCode, reason: error?.code });
}

/** A live daemon that doesn't answer is most likely on a busy machine. */
const PATIENCE_MS = 10_000;

interface ConnectOptions {
  patienceMs?: number;
  /** Whether a running demo will do. */
  demo?: boolean;
}

export async function connect(dataDir: string, { demo = true, ...options }: ConnectOptions = {}): Promise<Api> {
  const api = await findDaemon(dataDir, options);
  if (api) return api;
  const ofDemo = demo ? await findDemo(dataDir, options) : undefined;
  if (!ofDemo) throw new CliError(`Ground Control isn't running on ${dataDir}. Start it: gctl up`, EXIT.notRunning);
  complain(`using the demo at ${ofDemo.url}`);
  return ofDemo;
}

/** A running `gctl demo`, for commands that name no data dir and find no daemon on the usual one. */
export async function findDemo(dataDir: string, options: { patienceMs?: number }): Promise<Api | undefined> {
  const demo = isHomeDataDir(dataDir) ? findDemoDataDir() : undefined;
  return demo === undefined ? undefined : findDaemon(demo, options);
}

/**
 * Undefined unless it is alive and answers: the file of a killed daemon stays behind, and another program that listens on its
 * port now must not see our credential.
 */
export async function findDaemon(
  dataDir: string,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Api | undefined> {
  const daemon = readDaemonFile(dataDir);
  const credentials = readCredentials(dataDir);
  if (!daemon || !credentials || !isAlive(daemon.pid)) return undefined;
  const isUp = await fetch(`${daemon.url}/healthz`, { signal: AbortSignal.timeout(patienceMs) }).then(
    (response) => response.ok,
    () => false,
  );
  return isUp ? new Api(daemon.url, credentialOf(credentials)) : undefined;
}

/** A script has no terminal, so it brings a token of its own. */
function credentialOf({ localToken }: Credentials): Credential {
  const own = process.env.GROUNDCONTROL_TOKEN;
  return own ? { token: own, isLocal: false } : { token: localToken, isLocal: true };
}

export function readDaemonFile(dataDir: string): DaemonFile | undefined {
  return readFile(dataDir, DATA_FILES.daemon, DaemonFile);
}

export function readCredentials(dataDir: string): Credentials | undefined {
  return readFile(dataDir, DATA_FILES.credentials, Credentials);
}

function readFile<T extends z.ZodType>(dataDir: string, name: string, schema: T): z.infer<T> | undefined {
  const path = join(dataDir, name);
  if (!existsSync(path)) return undefined;
  const found = schema.safeParse(parse(readFileSync(path, 'utf8')));
  if (!found.success) throw new CliError(`${path} isn't a file that Ground Control wrote. Delete it and try again.`);
  return found.data;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
