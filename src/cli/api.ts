import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Credentials, DATA_FILES, DaemonFile } from '../contract/daemon.ts';
import { ErrorBody } from '../contract/errors.ts';
import { CliError, EXIT } from './exit.ts';

/** The running daemon, found through its data dir. */
export class Api {
  readonly url: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.url = url;
    this.#token = token;
  }

  get<T extends z.ZodType>(path: string, schema: T): Promise<z.infer<T>> {
    return this.#call('GET', path, schema);
  }

  post<T extends z.ZodType>(path: string, schema: T, body: unknown = {}): Promise<z.infer<T>> {
    return this.#call('POST', path, schema, body);
  }

  put<T extends z.ZodType>(path: string, schema: T, body: unknown): Promise<z.infer<T>> {
    return this.#call('PUT', path, schema, body);
  }

  /** An answer as it comes. */
  async stream(path: string): Promise<AsyncIterable<Uint8Array>> {
    const response = await fetch(this.url + path, { headers: { authorization: `Bearer ${this.#token}` } });
    if (!response.ok || !response.body)
      throw new CliError(errorIn(await response.text()) ?? `GET ${path} answered ${response.status}.`);
    return response.body as unknown as AsyncIterable<Uint8Array>;
  }

  async delete(path: string): Promise<void> {
    await this.#call('DELETE', path, z.unknown());
  }

  async #call<T extends z.ZodType>(method: string, path: string, schema: T, body?: unknown): Promise<z.infer<T>> {
    const headers: Record<string, string> = { authorization: `Bearer ${this.#token}` };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await fetch(this.url + path, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }).catch((error: Error) => {
      const reason = error.cause instanceof Error ? error.cause.message : error.message;
      throw new CliError(`The daemon at ${this.url} has gone away (${reason}).`, EXIT.notRunning);
    });
    const text = await response.text();
    if (!response.ok) {
      const message = errorIn(text) ?? `${method} ${path} answered ${response.status}.`;
      throw new CliError(message, response.status === 400 ? EXIT.usage : EXIT.failed);
    }
    return schema.parse(text ? JSON.parse(text) : undefined);
  }
}

function errorIn(text: string): string | undefined {
  return ErrorBody.safeParse(parse(text)).data?.error.message;
}

/** Whoever has the port of a daemon that lives is most likely that daemon, on a machine that is busy with something else. */
const PATIENCE_MS = 10_000;

export async function connect(dataDir: string, options: { patienceMs?: number } = {}): Promise<Api> {
  const api = await findDaemon(dataDir, options);
  if (!api) throw new CliError(`No daemon runs on ${dataDir}. Start it: gctl up`, EXIT.notRunning);
  return api;
}

/**
 * Undefined unless it lives and answers: the file of a killed daemon stays behind, and whoever listens on its port
 * now must not be shown our credential.
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
  return isUp ? new Api(daemon.url, credentials.localToken) : undefined;
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
  if (!found.success) throw new CliError(`${path} is not what Ground Control wrote. Delete it and start again.`);
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
