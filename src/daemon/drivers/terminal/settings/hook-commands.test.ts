import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { askCommand, strictCommand, tellCommand, waitForPromptCommand } from './hook-commands.ts';
import { readOwnHook, readStrictHook } from './own-hook.ts';
import { tempDir } from './temp-dir-for-test.ts';

const SHELLS = ['/bin/sh', '/bin/bash'];
const NOBODY = 'http://127.0.0.1:9/hook';
const ANSWER = '{"hookSpecificOutput": {"reason": "it says \\"200\\", $HOME, `id` and ü"}}';
const payload = JSON.stringify({ hook_event_name: 'SessionStart', filler: 'x'.repeat(300_000) });
/** In a folder whose name needs quoting in a shell. */
const folder = mkdtempSync(join(tmpdir(), "gc-it's $HOME-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const TOKEN_FILE = join(folder, 'hook-token.curlrc');
writeFileSync(TOKEN_FILE, 'header = "x-groundcontrol-token: secret"\n', { mode: 0o600 });
const silent = { code: 0, stdout: '', stderr: '' };

const servers: Server[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function listen(answer: (response: ServerResponse, nth: number) => void, port = 0) {
  const received: { body: string; token: unknown; type: unknown }[] = [];
  const server = createServer(async (request: IncomingMessage, response) => {
    const { 'x-groundcontrol-token': token, 'content-type': type } = request.headers;
    received.push({ body: await text(request), token, type });
    answer(response, received.length - 1);
  });
  servers.push(server.listen(port, '127.0.0.1'));
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  return { server, port: found, asked: { url: `http://127.0.0.1:${found}/hook`, tokenFile: TOKEN_FILE }, received };
}

const answering = (status: number, body: string) => listen((response) => response.writeHead(status).end(body));

function start(shell: string, command: string, env: NodeJS.ProcessEnv = {}) {
  // SHLVL: otherwise bash takes a socket on stdin for a remote login and reads the user's startup files
  const child = spawn(shell, ['-c', command], { env: { PATH: process.env.PATH, SHLVL: '1', ...env } });
  children.push(child);
  child.stdin.end(payload);
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = once(child, 'close').then(async ([code]) => {
    const [stdout, stderr] = await printed;
    return { code, stdout, stderr };
  });
  return { child, ended };
}

const run = (shell: string, command: string, env?: NodeJS.ProcessEnv) => start(shell, command, env).ended;

/** A PATH with a shell's helpers but no curl. */
function noCurl() {
  const PATH = tempDir('no-curl');
  symlinkSync('/bin/cat', join(PATH, 'cat'));
  return { PATH };
}

describe('a command that only reports', () => {
  test.each(SHELLS)('posts its input and prints nothing (%s)', async (shell) => {
    const { asked, received } = await answering(200, '{"text":"must not reach the model"}');
    const proxied = { http_proxy: 'http://127.0.0.1:9', all_proxy: 'http://127.0.0.1:9' };
    expect(await run(shell, tellCommand(asked), proxied)).toEqual(silent);
    expect(received).toEqual([{ body: payload, token: 'secret', type: 'application/json' }]);
  });

  test.each(SHELLS)('is just as silent when nothing is listening (%s)', async (shell) => {
    expect(await run(shell, tellCommand({ url: NOBODY, tokenFile: TOKEN_FILE }))).toEqual(silent);
  });

  test.each(SHELLS)('prints nothing without curl, and still reads its input (%s)', async (shell) => {
    expect(await run(shell, tellCommand({ url: NOBODY, tokenFile: TOKEN_FILE }), noCurl())).toEqual(silent);
  });

  test('gives a daemon that hangs one second', async () => {
    const { asked } = await listen(() => undefined);
    const started = performance.now();
    expect(await run('/bin/sh', tellCommand(asked))).toEqual(silent);
    expect(performance.now() - started).toBeGreaterThan(900);
  });

  test('runs the cleanup when nothing is listening, without waiting for it', async () => {
    const mark = join(tempDir("it's"), 'gone');
    const whenDaemonGone = ['/bin/sh', '-c', 'sleep 1; echo done > "$0"', mark];
    expect(await run('/bin/sh', tellCommand({ url: NOBODY, tokenFile: TOKEN_FILE, whenDaemonGone }))).toEqual(silent);
    expect(existsSync(mark)).toBe(false);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8'), { timeout: 20_000 }).toBe('done\n');
  });
});

describe('a command in a headless run', () => {
  const headless = { CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' };

  test.each(SHELLS)('is skipped only if the first prompt carries the same information (%s)', async (shell) => {
    const { asked, received } = await answering(200, '{}');
    const command = tellCommand({ ...asked, inHeadlessRuns: { skip: { daemonFile: '/no/such/file' } } });
    expect(await run(shell, command, headless)).toEqual(silent);
    expect(received).toEqual([]);
    expect(await run(shell, command, { CLAUDE_CODE_ENTRYPOINT: 'cli' })).toEqual(silent);
    expect(await run(shell, command)).toEqual(silent);
    expect(received).toHaveLength(2);
  });

  test.each(SHELLS)('runs the cleanup if the announced daemon is gone (%s)', async (shell) => {
    const folder = tempDir("it's");
    const [daemonFile, mark] = [join(folder, 'daemon.json'), join(folder, 'gone')];
    const whenDaemonGone = ['/bin/sh', '-c', 'echo done > "$0"', mark];
    const nobody = { url: NOBODY, tokenFile: TOKEN_FILE, whenDaemonGone };
    const command = tellCommand({ ...nobody, inHeadlessRuns: { skip: { daemonFile } } });
    for (const indent of [0, 2]) {
      writeFileSync(daemonFile, JSON.stringify({ pid: process.pid, port: 1 }, null, indent));
      expect(await run(shell, command, headless)).toEqual(silent);
      expect(existsSync(mark)).toBe(false);
    }
    writeFileSync(daemonFile, JSON.stringify({ pid: 2 ** 22 + 1, port: 1 }));
    expect(await run(shell, command, headless)).toEqual(silent);
    await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
  });
});

test.each(SHELLS)('the first command waits only until the stand-in is ready (%s)', async (shell) => {
  const folder = tempDir("it's");
  const [ready, done] = [join(folder, 'ready'), join(folder, 'done')];
  const program = 'echo "$2" > "$0"; echo ready; sleep 1; echo done > "$1"';
  const nobody = { url: NOBODY, tokenFile: TOKEN_FILE, standIn: true };
  const whenDaemonGone = ['/bin/sh', '-c', program, ready, done];
  expect(await run(shell, tellCommand({ ...nobody, whenDaemonGone }))).toEqual(silent);
  expect([readFileSync(ready, 'utf8'), existsSync(done)]).toEqual(['--stand-in\n', false]);
  await expect.poll(() => existsSync(done), { timeout: 20_000 }).toBe(true);
  expect(await run(shell, tellCommand({ ...nobody, whenDaemonGone: ['/no/such/program'] }))).toEqual(silent);
});

describe('a command that asks', () => {
  test.each(SHELLS)('passes on the answer unchanged (%s)', async (shell) => {
    const { asked, received } = await answering(200, ANSWER);
    expect(await run(shell, askCommand({ ...asked, seconds: 60 }))).toEqual({ ...silent, stdout: ANSWER });
    expect(received).toEqual([{ body: payload, token: 'secret', type: 'application/json' }]);
  });

  test('waits for a person', async () => {
    const { asked } = await listen((response) => void setTimeout(() => response.end(ANSWER), 2000));
    expect(await run('/bin/sh', askCommand({ ...asked, seconds: 60 }))).toEqual({ ...silent, stdout: ANSWER });
  });

  test.each([204, 401, 500])('prints nothing on %d', async (status) => {
    const { asked } = await answering(status, status === 204 ? '' : '{"error": {}}');
    expect(await run('/bin/sh', askCommand({ ...asked, seconds: 60 }))).toEqual(silent);
  });

  test.each(SHELLS)('prints nothing when nothing is listening, or without curl (%s)', async (shell) => {
    const mark = join(tempDir('gone'), 'gone');
    const command = askCommand({ url: NOBODY, tokenFile: TOKEN_FILE, seconds: 60, whenDaemonGone: ['touch', mark] });
    expect(await run(shell, command)).toEqual(silent);
    await expect.poll(() => existsSync(mark), { timeout: 20_000 }).toBe(true);
    expect(await run(shell, command, noCurl())).toEqual(silent);
  });
});

describe('a strict command', () => {
  const blocked = { code: 2, stdout: '', stderr: expect.stringContaining("Ground Control isn't running") };

  test.each(SHELLS)('passes on the answer (%s)', async (shell) => {
    const { asked } = await answering(200, ANSWER);
    expect(await run(shell, strictCommand({ ...asked, seconds: 60 }))).toEqual({ ...silent, stdout: ANSWER });
  });

  test.each(SHELLS)('blocks when nothing answers, or without curl (%s)', async (shell) => {
    const command = strictCommand({ url: NOBODY, tokenFile: TOKEN_FILE, seconds: 60 });
    expect(await run(shell, command)).toEqual(blocked);
    expect(await run(shell, command, noCurl())).toEqual(blocked);
  });

  test('blocks when it is refused or cut off', async () => {
    const { asked } = await answering(401, '{}');
    expect(await run('/bin/sh', strictCommand({ ...asked, seconds: 60 }))).toEqual(blocked);
    const cutting = await listen((response) => response.destroy());
    expect(await run('/bin/sh', strictCommand({ ...cutting.asked, seconds: 60 }))).toEqual(blocked);
  });
});

describe('a command that waits for a prompt', () => {
  const terminal = { CLAUDE_CODE_ENTRYPOINT: 'cli' };
  const prompt = 'Do "it"\n\nnow, for $5 and `id`: 100%s ü 200';

  test.each(SHELLS)('prints it to stderr and exits 2 (%s)', async (shell) => {
    const { asked, received } = await answering(200, prompt);
    expect(await run(shell, waitForPromptCommand(asked), terminal)).toEqual({ code: 2, stdout: '', stderr: prompt });
    expect(received).toEqual([{ body: payload, token: 'secret', type: 'application/json' }]);
  });

  test.each([204, 401, 404, 500, 503])('ends silently at %d', async (status) => {
    const { asked } = await answering(status, status === 204 ? '' : '{"error": {}}');
    expect(await run('/bin/sh', waitForPromptCommand(asked), terminal)).toEqual(silent);
  });

  test.each(SHELLS)('exits silently when nothing is listening, or without curl (%s)', async (shell) => {
    const command = waitForPromptCommand({ url: NOBODY, tokenFile: TOKEN_FILE });
    expect(await run(shell, command, terminal)).toEqual(silent);
    expect(await run(shell, command, { ...terminal, ...noCurl() })).toEqual(silent);
  });

  test.each([[{ CLAUDE_CODE_ENTRYPOINT: 'sdk-cli' }], [{}], [{ ...terminal, CLAUDE_CODE_SESSION_ATTENDED: '0' }]])(
    'does not wait without a user (%j)',
    async (env) => {
      const { asked, received } = await answering(200, prompt);
      expect(await run('/bin/sh', waitForPromptCommand(asked), env)).toEqual(silent);
      expect(received).toEqual([]);
    },
  );

  test('reconnects to a restarted daemon', async () => {
    const first = await listen(() => undefined);
    const { ended } = start('/bin/sh', waitForPromptCommand(first.asked), terminal);
    await expect.poll(() => first.received.length, { timeout: 20_000 }).toBe(1);
    first.server.close();
    first.server.closeAllConnections();
    await once(first.server, 'close');
    const second = await listen((response) => response.end(prompt), first.port);
    expect(await ended).toEqual({ code: 2, stdout: '', stderr: prompt });
    expect(second.received).toEqual(first.received);
  });

  test('ignores the stand-in of a daemon it has reached', async () => {
    const { asked, received } = await listen((response, nth) => {
      if (nth === 0) response.destroy();
      else if (nth === 1) response.writeHead(503).end('{"error": {}}');
      else response.end(prompt);
    });
    expect(await run('/bin/sh', waitForPromptCommand(asked), terminal)).toEqual({
      code: 2,
      stdout: '',
      stderr: prompt,
    });
    expect(received).toHaveLength(3);
  });
});

describe('ended by the client, which ends a hook with its whole group', () => {
  const terminal = { CLAUDE_CODE_ENTRYPOINT: 'cli' };
  const cases = SHELLS.flatMap((shell) => [
    { shell, what: 'one that asks', make: askCommand, code: 0 },
    { shell, what: 'a strict one', make: strictCommand, code: 2 },
    { shell, what: 'one that waits for a prompt', make: waitForPromptCommand, code: 0 },
  ]);

  test.each(cases)('$what leaves no process behind ($shell)', async ({ shell, make, code }) => {
    const { asked, received } = await listen(() => undefined);
    const env = { PATH: process.env.PATH, SHLVL: '1', ...terminal };
    const child = spawn(shell, ['-c', make({ ...asked, seconds: 60 })], { env, detached: true });
    children.push(child);
    child.stdin.end(payload);
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(1);
    process.kill(-child.pid!, 'SIGTERM');
    expect(await once(child, 'close')).toEqual([code, null]);
    // not even one that only waits for the system to reap it: the client would wait for that
    expect(() => process.kill(-child.pid!, 0)).toThrow('ESRCH');
  });
});

test('no command contains the token, and each is recognized by its file', () => {
  const options = { url: 'http://127.0.0.1:8765/api/live/hook', tokenFile: TOKEN_FILE };
  const commands = [
    tellCommand({ ...options, whenDaemonGone: ['clean-up'], standIn: true }),
    askCommand({ ...options, seconds: 60 }),
    waitForPromptCommand(options),
  ];
  for (const command of commands) {
    const hook = readOwnHook({ type: 'command', command });
    expect(hook).toEqual({ form: 'command', port: 8765, token: undefined, tokenFile: TOKEN_FILE });
  }
  const strict = readStrictHook({ type: 'command', command: strictCommand({ ...options, seconds: 60 }) });
  expect(strict).toMatchObject({ tokenFile: TOKEN_FILE });
});

test('without the token file, all but a strict command are silent', async () => {
  const { asked, received } = await answering(401, '{}');
  const missing = { ...asked, tokenFile: join(folder, 'nothing') };
  expect(await run('/bin/sh', tellCommand(missing))).toEqual(silent);
  expect(await run('/bin/sh', askCommand({ ...missing, seconds: 60 }))).toEqual(silent);
  expect(await run('/bin/sh', strictCommand({ ...missing, seconds: 60 }))).toMatchObject({ code: 2 });
  expect(received.every(({ token }) => token === undefined)).toBe(true);
});
