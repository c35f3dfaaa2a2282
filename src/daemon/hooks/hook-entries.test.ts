import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { hookEntries } from './hook-entries.ts';
import { hookEventNames, hookRegistration } from './hook-events.ts';
import { readOwnHook } from './own-hook.ts';
import { tempDir } from './temp-dir-for-test.ts';

const asked = { port: 8765, token: 'secret' };
const hooksOf = (options: Parameters<typeof hookEntries>[0]) =>
  Object.entries(hookEntries(options)).map(([event, group]) => ({ event, ...group.hooks[0] }));

describe('a current client', () => {
  test('every event is registered but those where an observer would interfere', () => {
    const left = hookEventNames.filter((event) => hookEntries(asked)[event] === undefined);
    expect(left).toEqual(['WorktreeCreate', 'WorktreeRemove', 'MessageDisplay']);
    for (const event of left) expect(hookRegistration(event)).toMatchObject({ form: 'none' });
  });

  test('the client posts the events itself, but for those where it cannot or would complain', () => {
    const commands = hooksOf(asked).filter(({ type }) => type === 'command');
    expect(commands.map(({ event }) => event)).toEqual(['SessionStart', 'Setup', 'SessionEnd']);
    expect(hookEntries(asked).Stop).toEqual({
      hooks: [
        {
          type: 'http',
          url: 'http://127.0.0.1:8765/api/live/hook',
          timeout: 5,
          headers: { 'x-groundcontrol-token': 'secret' },
        },
      ],
    });
  });

  test('only what the operator may be asked about can wait for long', () => {
    const long = hooksOf(asked).filter(({ timeout }) => timeout > 10);
    expect(long.map(({ event, timeout }) => [event, timeout])).toEqual([
      ['PreToolUse', 86_400],
      ['PermissionRequest', 86_400],
      ['Elicitation', 86_400],
    ]);
  });

  test('every entry is known again as ours', () => {
    for (const { event, ...hook } of hooksOf(asked)) {
      expect(readOwnHook(hook), event).toMatchObject({ port: 8765, token: 'secret' });
    }
  });
});

describe('an older client', () => {
  test('gets only events that it knows: one unknown name voids its settings file', () => {
    expect(Object.keys(hookEntries({ ...asked, clientVersion: '2.1.70' })).sort()).toEqual(
      [
        ...['ConfigChange', 'Elicitation', 'ElicitationResult', 'InstructionsLoaded', 'Notification'],
        ...['PermissionRequest', 'PostToolUse', 'PostToolUseFailure', 'PreCompact', 'PreToolUse', 'SessionEnd'],
        ...['SessionStart', 'Setup', 'Stop', 'SubagentStart', 'SubagentStop', 'TaskCompleted', 'TeammateIdle'],
        'UserPromptSubmit',
      ].sort(),
    );
  });

  test('without http hooks gets commands, in the background but for the start and the end', () => {
    const hooks = hooksOf({ ...asked, clientVersion: '2.1.62' });
    expect(new Set(hooks.map(({ type }) => type))).toEqual(new Set(['command']));
    const waited = hooks.filter((hook) => !('async' in hook)).map(({ event }) => event);
    expect(waited).toEqual(['SessionStart', 'SessionEnd']);
    expect(hooks).toHaveLength(16);
    expect(hooksOf({ ...asked, clientVersion: '2.1.63' }).some(({ type }) => type === 'http')).toBe(true);
  });
});

test('where http hooks would go to a proxy, all are commands', () => {
  const types = hooksOf({ ...asked, form: 'command' }).map(({ type }) => type);
  expect(types).toEqual(Array(30).fill('command'));
});

test.each(["a'b", 'a b', '$HOME', 'a"b', '', 'a\nb'])('token %j is refused', (token) => {
  expect(() => hookEntries({ port: 1, token })).toThrow('hook token');
});

describe('the command', () => {
  let server: Server | undefined;
  afterEach(() => {
    server?.close();
    server?.closeAllConnections();
  });

  async function listen(answer: 'at once' | 'never') {
    const received: { body: string; token: unknown; type: unknown }[] = [];
    const listening = createServer(async (request, response) => {
      const { 'x-groundcontrol-token': token, 'content-type': type } = request.headers;
      received.push({ body: await text(request), token, type });
      if (answer === 'at once') response.end('{"text":"must not reach the model"}');
    });
    server = listening.listen(0, '127.0.0.1');
    await once(listening, 'listening');
    return { port: (listening.address() as AddressInfo).port, received };
  }

  interface RunOptions {
    port: number;
    whenDaemonGone?: string[];
    event?: 'SessionStart' | 'SessionEnd';
  }

  async function run(shell: string, { event = 'SessionStart', ...options }: RunOptions, env: NodeJS.ProcessEnv = {}) {
    const hook = hookEntries({ token: 'secret', ...options })[event]?.hooks[0];
    const command = hook?.type === 'command' ? hook.command : '';
    const started = performance.now();
    // SHLVL: else bash takes a socket on stdin for a remote login and reads the start-up files of whoever runs this
    const child = spawn(shell, ['-c', command], { env: { PATH: process.env.PATH, SHLVL: '1', ...env } });
    child.stdin.end(payload);
    const printed = Promise.all([text(child.stdout), text(child.stderr)]);
    const [code] = await once(child, 'close');
    return { code, printed: (await printed).join(''), ms: performance.now() - started };
  }

  const silent = { code: 0, printed: '' };
  const shells = ['/bin/sh', '/bin/bash'];
  const payload = JSON.stringify({ hook_event_name: 'SessionStart', filler: 'x'.repeat(300_000) });

  test.each(shells)('posts what it reads and says nothing (%s)', async (shell) => {
    const { port, received } = await listen('at once');
    const proxied = { http_proxy: 'http://127.0.0.1:9', all_proxy: 'http://127.0.0.1:9' };
    expect(await run(shell, { port }, proxied)).toMatchObject(silent);
    expect(received).toEqual([{ body: payload, token: 'secret', type: 'application/json' }]);
  });

  test.each(shells)('is as silent when nobody listens (%s)', async (shell) => {
    expect(await run(shell, { port: 9 })).toMatchObject(silent);
  });

  test.each(shells)('is as silent without curl, and still reads its input (%s)', async (shell) => {
    const PATH = tempDir('no-curl');
    symlinkSync('/bin/cat', join(PATH, 'cat'));
    expect(await run(shell, { port: 9 }, { PATH })).toMatchObject(silent);
  });

  test('gives a daemon that hangs one second', async () => {
    const { port } = await listen('never');
    const { ms, ...rest } = await run('/bin/sh', { port });
    expect(rest).toEqual(silent);
    expect(ms).toBeGreaterThan(900);
    expect(ms).toBeLessThan(3000);
  });

  test('calls for the clean-up when nobody listens, without waiting for it', async () => {
    const mark = join(tempDir("it's"), 'gone');
    const whenDaemonGone = ['/bin/sh', '-c', 'sleep 1; echo done > "$0"', mark];
    expect(await run('/bin/sh', { port: 9, whenDaemonGone, event: 'SessionEnd' })).toMatchObject(silent);
    expect(existsSync(mark)).toBe(false);
    await expect.poll(() => existsSync(mark) && readFileSync(mark, 'utf8'), { timeout: 5000 }).toBe('done\n');
  });

  test.each(shells)(
    'at the start of a session waits for the stand-in to be ready, and no longer (%s)',
    async (shell) => {
      const folder = tempDir("it's");
      const [ready, done] = [join(folder, 'ready'), join(folder, 'done')];
      const program = 'echo "$2" > "$0"; echo ready; sleep 1; echo done > "$1"';
      const whenDaemonGone = ['/bin/sh', '-c', program, ready, done];
      expect(await run(shell, { port: 9, whenDaemonGone })).toMatchObject(silent);
      expect([readFileSync(ready, 'utf8'), existsSync(done)]).toEqual(['--stand-in\n', false]);
      await expect.poll(() => existsSync(done), { timeout: 5000 }).toBe(true);
      expect(await run(shell, { port: 9, whenDaemonGone: ['/no/such/program'] })).toMatchObject(silent);
    },
  );
});
