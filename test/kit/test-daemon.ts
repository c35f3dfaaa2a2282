import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import type { Preferences } from '../../src/contract/daemon.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { type Daemon, startDaemon } from '../../src/daemon/daemon.ts';
import { DataDir } from '../../src/daemon/data-dir.ts';
import { checkout } from './daemon-process.ts';

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any;
}

interface CallOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** false: send no credential */
  token?: string | false;
}

export type TestDaemon = Awaited<ReturnType<typeof startTestDaemon>>;

/** A daemon in this process, on a free port, with its own folders. */
export async function startTestDaemon({
  webDir,
  folder = mkdtempSync(join(tmpdir(), 'gc-daemon-')),
  preferences = {},
  env = {},
  port: wanted = 0,
  newJournal = false,
}: {
  env?: NodeJS.ProcessEnv;
  port?: number;
  newJournal?: boolean;
  preferences?: Partial<Preferences>;
  webDir?: string;
  folder?: string;
} = {}) {
  const configDir = join(folder, 'claude');
  mkdirSync(configDir, { recursive: true });
  const dataDir = new DataDir(join(folder, 'data'));
  dataDir.savePreferences(preferences);
  const options = {
    dataDir,
    configDir,
    host: '127.0.0.1',
    port: wanted,
    newJournal,
    version: '0.0.0-test',
    program: [process.execPath, '--version'] as const,
    webDir,
    worker: join(checkout, 'dist', 'transcripts-worker.cjs'),
    log: pino({ level: 'silent' }),
    env,
    checksEvents: true,
  };
  const daemon: Daemon = await startDaemon(options);
  const { port } = new URL(daemon.url);
  const { hookToken, localToken } = dataDir.credentials();

  /** Uses node:http, since fetch refuses custom Host and Origin headers. */
  function call(
    method: string,
    path: string,
    { headers = {}, body, token = localToken }: CallOptions = {},
  ): Promise<Answer> {
    const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const request = httpRequest(
        {
          host: '127.0.0.1',
          port,
          method,
          path,
          headers: {
            ...(token ? { authorization: `Bearer ${token}` } : {}),
            ...(bytes ? { 'content-type': 'application/json', 'content-length': bytes.length } : {}),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk) => chunks.push(chunk));
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parse(text) });
          });
        },
      );
      request.on('error', reject);
      request.end(bytes);
    });
  }

  return {
    ...daemon,
    port: Number(port),
    folder,
    configDir,
    dataDir,
    hookToken,
    localToken,
    call,
    hook: (payload: Record<string, unknown>, headers: Record<string, string> = {}) =>
      call('POST', '/api/live/hook', {
        token: false,
        headers: { 'x-groundcontrol-token': hookToken, ...headers },
        body: payload,
      }),
    async session(id: string): Promise<LiveSession> {
      return (await call('GET', `/api/sessions/${id}`)).json;
    },
    async dispose() {
      await daemon.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
