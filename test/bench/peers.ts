import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startOf } from '../../src/daemon/peers/origins.ts';
import { newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { percentile, sleep } from '../kit/generate-load.ts';

// npm run bench peers: what it costs to know which process asks. A read is not looked at, an action by the operator is; a hook for a session
// whose client runs is checked once per connection.

const ROUNDS = 300;
const SESSION = 'bench-peers';
const home = newHome();
const configDir = join(home, '.claude');
const sessions = join(configDir, 'sessions');
mkdirSync(sessions, { recursive: true });
const daemon = await startDaemonProcess({ home, args: ['--no-hooks'], env: { CLAUDE_CONFIG_DIR: configDir } });
const idle: ChildProcess[] = [];
const operator = { authorization: `Bearer ${daemon.operatorToken}`, 'content-type': 'application/json' };
const hook = { 'x-groundcontrol-token': daemon.credentials.hookToken };
const kept = new Agent({ keepAlive: true, maxSockets: 1 });

try {
  console.log(
    '# npm run bench peers\n\n| processes besides | request | p50 | p99 | worst |\n| ---: | --- | ---: | ---: | ---: |',
  );
  await measureStrangers(0);
  for (let made = 0; made < 400; made++) idle.push(spawn('sleep', ['600'], { stdio: 'ignore' }));
  await sleep(1000);
  await measureStrangers(idle.length);
  // from here on this program counts as a client and can no longer act
  await becomeClient();
  await measureClient(idle.length);
  endIdle();
  await sleep(1000);
  await measureClient(0);
} finally {
  endIdle();
  await daemon.dispose();
}

function endIdle(): void {
  for (const { pid } of idle.splice(0)) if (pid !== undefined) process.kill(pid);
}

function report(sessionId: string): string {
  return JSON.stringify({ session_id: sessionId, hook_event_name: 'UserPromptSubmit', prompt: 'x', cwd: '/w' });
}

async function measureStrangers(others: number): Promise<void> {
  const unknown = `unknown-${others}`;
  await measure(others, 'a read, new connection', () => send('GET', '/api/away', operator));
  await measure(others, 'an action, new connection', () => send('PUT', '/api/away', operator, '{"away":false}'));
  await measure(others, 'a hook of a session without a client, new connection', () =>
    send('POST', '/api/live/hook', hook, report(unknown)),
  );
}

async function becomeClient(): Promise<void> {
  const file = {
    pid: process.pid,
    sessionId: SESSION,
    cwd: '/w',
    procStart: startOf(process.pid),
    kind: 'interactive',
  };
  writeFileSync(join(sessions, `${process.pid}.json`), JSON.stringify({ ...file, startedAt: Date.now() }));
  await send('POST', '/api/live/hook', hook, report(SESSION));
  await sleep(1500);
}

async function measureClient(others: number): Promise<void> {
  await measure(others, 'a hook of a running client, new connection', () =>
    send('POST', '/api/live/hook', hook, report(SESSION)),
  );
  await measure(others, 'a hook of a running client, same connection', () =>
    send('POST', '/api/live/hook', hook, report(SESSION), kept),
  );
}

async function measure(others: number, name: string, work: () => Promise<void>): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  const cells = [percentile(times, 50), percentile(times, 99), Math.max(...times)].map((ms) => `${ms.toFixed(1)} ms`);
  console.log(`| ${others} | ${name} | ${cells.join(' | ')} |`);
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: string,
  agent?: Agent,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    const asked = request(
      daemon.url + path,
      { method, headers: { ...headers, ...length }, agent: agent ?? false },
      (answer) => {
        answer.resume();
        answer.on('end', () => {
          if (answer.statusCode === 200) resolve();
          else reject(new Error(`${method} ${path}: ${answer.statusCode}`));
        });
      },
    );
    asked.on('error', reject);
    asked.end(body);
  });
}
