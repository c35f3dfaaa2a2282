import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, type Credential } from '../client/client.ts';
import { sendRequest } from '../client/send-request.ts';
import type { Credentials, DaemonFile } from '../contract/daemon.ts';
import { DATA_FILES } from '../contract/data-files.ts';
import { parseJson } from '../contract/parse-json.ts';
import { AGENT_TOKEN_VARIABLE } from '../contract/runner-names.ts';
import { recordOf } from '../contract/values.ts';
import { isRunning } from '../system/is-running.ts';
import { isHomeDataDir } from './common-options.ts';
import { CliError, EXIT } from './exit.ts';
import { complain } from './output.ts';

/** A live daemon that doesn't answer is most likely on a busy machine. */
const PATIENCE_MS = 10_000;

interface ConnectOptions {
  patienceMs?: number;
  /** Whether a running demo is acceptable. */
  demo?: boolean;
}

export async function connect(dataDir: string, { demo = true, ...options }: ConnectOptions = {}): Promise<Client> {
  const api = await findDaemon(dataDir, options);
  if (api) return api;
  const ofDemo = demo ? await findDemo(dataDir, options) : undefined;
  if (!ofDemo) throw new CliError(`Ground Control isn't running on ${dataDir}. Start it: gctl up`, EXIT.notRunning);
  complain(`using the demo at ${ofDemo.url}`);
  return ofDemo;
}

/** A running `gctl demo`, for commands that name no data dir and find no daemon on the default one. */
export async function findDemo(dataDir: string, options: { patienceMs?: number }): Promise<Client | undefined> {
  if (!isHomeDataDir(dataDir)) return undefined;
  const demo = (await import('./demo-pointer.ts')).findDemoDataDir();
  return demo === undefined ? undefined : findDaemon(demo, options);
}

/**
 * undefined unless it is alive and answers: a killed daemon's file stays behind, and another program that now listens on its port must not
 * see our credential.
 */
export async function findDaemon(
  dataDir: string,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<Client | undefined> {
  const daemon = readDaemonFile(dataDir);
  const credentials = readCredentials(dataDir);
  if (!daemon || !credentials || !isRunning(daemon.pid)) return undefined;
  const isUp = await sendRequest(`${daemon.url}/healthz`, { signal: AbortSignal.timeout(patienceMs) }).then(
    async (response) => (await response.text()) !== '' && response.status === 200,
    () => false,
  );
  return isUp ? new Client(daemon.url, credentialOf(credentials)) : undefined;
}

/** A script has no terminal, so it brings its own token. */
function credentialOf({ localToken }: Credentials): Credential {
  // an orchestrated session acts as itself: on its own children
  const own = process.env.GROUNDCONTROL_TOKEN || process.env[AGENT_TOKEN_VARIABLE];
  return own ? { token: own, isLocal: false } : { token: localToken, isLocal: true };
}

export function readDaemonFile(dataDir: string): DaemonFile | undefined {
  const fields = { pid: 'number', port: 'number', url: 'string', version: 'string', startedAt: 'number' } as const;
  return readFile<DaemonFile>(dataDir, DATA_FILES.daemon, fields);
}

export function readCredentials(dataDir: string): Credentials | undefined {
  return readFile<Credentials>(dataDir, DATA_FILES.credentials, { hookToken: 'string', localToken: 'string' });
}

/** Checked by hand: the schemas take longer to load than most commands take to run. */
function readFile<T extends object>(
  dataDir: string,
  name: string,
  fields: Record<keyof T, 'number' | 'string'>,
): T | undefined {
  const path = join(dataDir, name);
  if (!existsSync(path)) return undefined;
  const found = recordOf(parseJson(readFileSync(path, 'utf8')));
  if (Object.entries(fields).every(([field, type]) => typeof found[field] === type)) return found as T;
  throw new CliError(`${path} isn't a file that Ground Control wrote. Delete it and try again.`);
}
