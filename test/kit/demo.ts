import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from './call-api.ts';
import { cleanEnv } from './daemon-process.ts';
import { pair } from './pair.ts';
import { gctlBinary } from './run-gctl.ts';
import { waitFor } from './wait.ts';

const Greeting = z.object({ url: z.string(), link: z.string(), dataDir: z.string() });

/** `gctl demo` with its agents in place, for tests that need content on every page. */
export async function startStillDemo() {
  const home = mkdtempSync(join(tmpdir(), 'gc-demo-'));
  const child = spawn(gctlBinary, ['demo', '--no-open', '--json', '--scene', 'still', '--speed', '20', '--port', '0'], {
    env: cleanEnv(home, { TMPDIR: home }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // stderr may mention that it builds first
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += chunk;
    });
  }
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const dispose = async () => {
    child.kill('SIGINT');
    await exited;
    rmSync(home, { recursive: true, force: true });
  };
  const greeting = await waitFor(() => Greeting.parse(JSON.parse(output.stdout)), {
    what: 'the demo to say its link',
    timeout: 90_000,
    context: () => output,
  }).catch(async (error: unknown) => {
    await dispose();
    throw error;
  });
  const call = apiCaller({ url: greeting.url, operatorToken: await pair(greeting.link) });
  const sessions = async () => (await call('GET', '/api/sessions')).json.sessions as LiveSession[];
  await waitFor(async () => (await sessions()).every(({ attention }) => attention !== 'settling'), {
    what: 'the agents to be in their places',
    timeout: 60_000,
  });
  return {
    url: greeting.url,
    call,
    sessions,
    link: async () => (await call('POST', '/api/links', { role: 'admin' })).json.url as string,
    dispose,
  };
}
