import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { askPersonCommand } from './ask-person-command.ts';
import { readOwnHook } from './own-hook.ts';
import { tempDir } from './temp-dir-for-test.ts';

const SHELLS = ['/bin/sh', '/bin/bash'];
const ANSWER = '{"hookSpecificOutput": {"reason": "it says \\"200\\", $HOME, `id` and ü"}}';
const payload = JSON.stringify({ hook_event_name: 'PermissionRequest', filler: 'x'.repeat(300_000) });
const silent = { code: 0, stdout: '', stderr: '' };
const answered = { ...silent, stdout: ANSWER };
const terminal = { CLAUDE_CODE_ENTRYPOINT: 'cli' };

/** In a folder whose name needs quoting in a shell. */
const folder = mkdtempSync(join(tmpdir(), "gc-it's $HOME-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const tokenFile = join(folder, 'hook-token.curlrc');
const daemonFile = join(folder, 'daemon.json');
writeFileSync(tokenFile, 'header = "x-groundcontrol-token: secret"\n', { mode: 0o600 });
const announce = (port: number) =>
  writeFileSync(daemonFile, JSON.stringify({ pid: 1, url: `http://127.0.0.1:${port}` }, null, 2));

const servers: Server[] = [];
const children: ChildProcess[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await close(server);
  for (const child of children.splice(0)) child.kill('SIGKILL');
  rmSync(daemonFile, { force: true });
});

async function close(server: Server): Promise<void> {
  if (!server.listening) return;
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
}

interface Request {
  path: string;
  body: string;
  headers: IncomingHttpHeaders;
}

/** A daemon that answers questions as told and records everything else. */
async function listen(answer: (response: ServerResponse, nth: number) => void, port = 0) {
  const asks: Request[] = [];
  const notes: Request[] = [];
  const server = createServer(async (request, response) => {
    const taken = { path: request.url ?? '', headers: request.headers, body: await text(request) };
    if (taken.path !== '/api/live/ask') {
      notes.push(taken);
      response.writeHead(204).end();
      return;
    }
    asks.push(taken);
    answer(response, asks.length - 1);
  });
  servers.push(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  const command = askPersonCommand({ url: `http://127.0.0.1:${found}/api/live/ask`, tokenFile, daemonFile });
  return { server, port: found, command, asks, notes };
}

const saying = (status: number, body = '') => listen((response) => response.writeHead(status).end(body));

function start(command: string, { shell = '/bin/sh', env = {}, input = payload, detached = false } = {}) {
  // SHLVL: otherwise bash takes a socket on stdin for a remote login and reads the user's startup files
  const child = spawn(shell, ['-c', command], {
    env: { PATH: process.env.PATH, SHLVL: '1', ...terminal, ...env },
    detached,
  });
  children.push(child);
  child.stdin.end(input);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async ([code]) => {
    const [stdout, stderr] = await printed;
    return { code, stdout, stderr };
  });
  return { child, ended };
}

const keyOf = ({ headers }: Request) => headers['x-groundcontrol-asker'];

test.each(SHELLS)('passes on the answer, and confirms it under its own name (%s)', async (shell) => {
  const { command, asks, notes } = await saying(200, ANSWER);
  const env = { http_proxy: 'http://127.0.0.1:9', all_proxy: 'http://127.0.0.1:9' };
  expect(await start(command, { shell, env }).ended).toEqual(answered);
  expect(asks).toMatchObject([
    {
      body: payload,
      headers: {
        'x-groundcontrol-token': 'secret',
        'x-groundcontrol-client': String(process.pid),
        'x-groundcontrol-entrypoint': 'cli',
      },
    },
  ]);
  expect(notes).toMatchObject([{ path: '/api/live/ask/delivered', headers: { 'x-groundcontrol-token': 'secret' } }]);
  expect(keyOf(asks[0]!)).toMatch(/^\d+\.\d+\.\d+$/);
  expect(keyOf(notes[0]!)).toBe(keyOf(asks[0]!));
});

test.each([204, 401, 404, 500])('prints nothing on %d, and leaves the dialog to the terminal', async (status) => {
  const { command, notes } = await saying(status);
  expect(await start(command).ended).toEqual(silent);
  expect(notes).toEqual([]);
});

test.each(SHELLS)('prints nothing without curl, and still reads its input (%s)', async (shell) => {
  const PATH = tempDir('no-curl');
  symlinkSync('/bin/cat', join(PATH, 'cat'));
  const { command, asks } = await saying(200, ANSWER);
  expect(await start(command, { shell, env: { PATH } }).ended).toEqual(silent);
  expect(asks).toEqual([]);
});

describe('when the daemon goes away', () => {
  test.each(SHELLS)('reconnects to the next one, on any port, with the same question (%s)', async (shell) => {
    const first = await listen(() => undefined);
    const { ended } = start(first.command, { shell });
    await expect.poll(() => first.asks.length, { timeout: 20_000 }).toBe(1);
    await close(first.server);
    const second = await listen((response) => response.end(ANSWER));
    announce(second.port);
    expect(await ended).toEqual(answered);
    expect(second.asks.map(({ body }) => body)).toEqual([payload]);
    expect(keyOf(second.asks[0]!)).toBe(keyOf(first.asks[0]!));
    expect(second.notes).toMatchObject([{ path: '/api/live/ask/delivered' }]);
  });

  test('ignores the stand-in, and waits even if it never reached the daemon', async () => {
    const { command, asks } = await listen((response, nth) => {
      if (nth < 2) response.writeHead(503).end('{"error": {}}');
      else response.end(ANSWER);
    });
    expect(await start(command).ended).toEqual(answered);
    expect(asks).toHaveLength(3);
  });

  test.each([
    ['a background subagent', { input: JSON.stringify({ agent_id: 'a1' }) }],
    ['an MCP server', { input: JSON.stringify({ hook_event_name: 'Elicitation' }) }],
    ['a client without a terminal', { env: { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' } }],
  ])('gives up soon for %s, which shows no dialog until then', async (_, options) => {
    const { command, asks } = await saying(503);
    const started = performance.now();
    expect(await start(command, options).ended).toEqual(silent);
    expect(asks).toHaveLength(6);
    expect(performance.now() - started).toBeGreaterThan(4500);
  });

  test('does not wait for a daemon that was never there if no dialog is shown', async () => {
    const command = askPersonCommand({ url: 'http://127.0.0.1:9/api/live/ask', tokenFile, daemonFile });
    const started = performance.now();
    expect(await start(command, { input: JSON.stringify({ agent_id: 'a1' }) }).ended).toEqual(silent);
    expect(performance.now() - started).toBeLessThan(3000);
  });

  test('confirms to the next one what it passed on, without keeping the client waiting', async () => {
    const first = await listen((response) => {
      response.on('finish', () => void close(first.server));
      response.writeHead(200, { connection: 'close' }).end(ANSWER);
    });
    expect(await start(first.command).ended).toEqual(answered);
    const second = await saying(204);
    announce(second.port);
    await expect.poll(() => second.notes, { timeout: 20_000 }).toMatchObject([{ path: '/api/live/ask/delivered' }]);
    expect(keyOf(second.notes[0]!)).toBe(keyOf(first.asks[0]!));
  });
});

test.each(SHELLS)('reports when the client ends it, and leaves no process behind (%s)', async (shell) => {
  const { command, asks, notes } = await listen(() => undefined);
  const { child, ended } = start(command, { shell, detached: true });
  await expect.poll(() => asks.length, { timeout: 20_000 }).toBe(1);
  process.kill(-child.pid!, 'SIGTERM');
  expect(await ended).toEqual(silent);
  expect(notes).toMatchObject([{ path: '/api/live/ask/closed' }]);
  expect(keyOf(notes[0]!)).toBe(keyOf(asks[0]!));
  expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH');
});

test('does not contain the token, and is recognized by its file', () => {
  const command = askPersonCommand({ url: 'http://127.0.0.1:8765/api/live/ask', tokenFile, daemonFile });
  const hook = readOwnHook({ type: 'command', command });
  expect(hook).toEqual({ form: 'command', port: 8765, token: undefined, tokenFile });
});
