import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/kit/free-port.ts';
import { pair } from '../../../test/kit/pair.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import {
  installScriptedCloudflared,
  installScriptedSsh,
  SSHD,
  startSshServer,
} from '../../../test/kit/tunnel-tools.ts';
import { waitFor } from '../../../test/kit/wait.ts';

let folder: string;
let daemon: TestDaemon;
let admin: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gc-tunnel-'));
  daemon = await startTestDaemon({ env: { PATH: `${folder}:/usr/bin:/bin`, HOME: folder } });
  admin = await pair(daemon.link());
});
afterEach(async () => {
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const call = (method: string, path: string, body?: unknown) =>
  daemon.call(method, path, { token: admin, ...(body === undefined ? {} : { body }) });
const open = (tunnel: object, url?: string) =>
  call('PUT', '/api/remote/tunnel', { tunnel, ...(url === undefined ? {} : { url }) });
const state = async () => (await call('GET', '/api/remote')).json.tunnel;
const calls = () => (existsSync(join(folder, 'calls')) ? readFileSync(join(folder, 'calls'), 'utf8') : '');
const pidIn = () => JSON.parse(readFileSync(daemon.dataDir.file('tunnel-process.json'), 'utf8')).pid as number;

describe('through ssh', () => {
  it('forwards a port of the server here, checks it from there, and closes it', async () => {
    installScriptedSsh(folder);
    const remotePort = await freePort();
    const opened = await open({ kind: 'ssh', target: 'me@box', remotePort, sshPort: 2222 }, 'https://tower.example');
    expect(opened.json).toMatchObject({ urls: ['https://tower.example'], tunnel: { state: 'connected', restarts: 0 } });
    expect(calls()).toContain(`-R 127.0.0.1:${remotePort}:127.0.0.1:${daemon.port} -p 2222 -- me@box`);
    expect(calls()).toContain('-o BatchMode=yes -o ExitOnForwardFailure=yes');
    const through = await fetch(`http://127.0.0.1:${remotePort}/healthz`).catch(() => undefined);
    // its Host isn't one of ours, which proves that it got here
    expect(through?.status).toBe(403);
    expect((await call('DELETE', '/api/remote/tunnel')).json.tunnel).toBeNull();
    await expect(fetch(`http://127.0.0.1:${remotePort}/healthz`)).rejects.toThrow();
  });

  it('starts it again when it ends, with the daemon, and after a kill -9 of the daemon', async () => {
    installScriptedSsh(folder);
    const remotePort = await freePort();
    await open({ kind: 'ssh', target: 'box', remotePort });
    const first = pidIn();
    process.kill(first, 'SIGKILL');
    await waitFor(
      async () => ((await state())?.restarts === 1 && (await state()).state === 'connected' ? true : undefined),
      {
        what: 'the second ssh',
      },
    );
    const second = pidIn();
    expect(second).not.toBe(first);
    // what a killed daemon leaves behind: its process and the note about it
    const note = readFileSync(daemon.dataDir.file('tunnel-process.json'), 'utf8');
    await daemon.stop();
    expect(() => process.kill(second, 0)).toThrow();
    expect(note).toContain(String(second));
    const { folder: own } = daemon;
    daemon = await startTestDaemon({
      folder: own,
      env: { PATH: `${folder}:/usr/bin:/bin` },
      preferences: daemon.dataDir.preferences(),
    });
    admin = await pair(daemon.link());
    await waitFor(async () => ((await state())?.state === 'connected' ? true : undefined), { what: 'the tunnel' });
  });

  it.each([
    ['Host key verification failed.', /Connect once by hand .*: ssh me@box/],
    ['me@box: Permission denied (publickey).', /ssh-copy-id me@box/],
    ['ssh: Could not resolve hostname box: Name or service not known', /Try it by hand: ssh me@box/],
  ])('says what to do about: %s', async (fails, fix) => {
    installScriptedSsh(folder, { fails });
    const refused = await open({ kind: 'ssh', target: 'me@box', remotePort: 9000 });
    expect(refused).toMatchObject({ status: 409, json: { error: { code: 'remote.tunnel_failed' } } });
    expect(refused.json.error.message).toContain(fails);
    expect(refused.json.error.message).toMatch(fix);
    expect(await state()).toBeNull();
    expect(daemon.dataDir.preferences().tunnel).toBeNull();
  });

  it('says that the port is taken on the server', async () => {
    installScriptedSsh(folder);
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as { port: number };
    const refused = await open({ kind: 'ssh', target: 'box', remotePort: port });
    expect(refused.json.error.message).toMatch(/taken on the server.*--remote-port/s);
    taken.close();
  });

  it('refuses servers that ssh would read as an option or a shell as a command', async () => {
    installScriptedSsh(folder);
    for (const target of ['-oProxyCommand=touch x', '--help', 'a b', 'x;y', '', 'x\ny', '$(x)'])
      expect([target, (await open({ kind: 'ssh', target, remotePort: 9000 })).status]).toEqual([target, 400]);
    expect(calls()).toBe('');
  });

  it.skipIf(!SSHD)('works with the real client and server, and survives the loss of the connection', async () => {
    const server = await startSshServer(folder);
    const remotePort = await freePort();
    const opened = await open({ kind: 'ssh', target: 'box', remotePort });
    expect(opened.json.error?.message ?? server.said()).not.toMatch(/denied/i);
    expect(opened.json.tunnel).toMatchObject({ state: 'connected' });
    const answer = await daemon.call('GET', '/healthz', { token: false });
    expect(answer.status).toBe(200);
    expect((await fetch(`http://127.0.0.1:${remotePort}/healthz`)).status).toBe(403);
    process.kill(pidIn(), 'SIGKILL');
    await waitFor(
      async () => ((await state())?.restarts === 1 && (await state()).state === 'connected' ? true : undefined),
      {
        what: 'the second connection',
      },
    );
    server.stop();
    expect((await call('DELETE', '/api/remote')).json.tunnel).toBeNull();
  });
});

describe('through cloudflared', () => {
  it('runs a named tunnel', async () => {
    installScriptedCloudflared(folder);
    const opened = await open({ kind: 'cloudflare', name: 'groundcontrol' }, 'https://tower.example');
    expect(opened.json).toMatchObject({ urls: ['https://tower.example'], tunnel: { state: 'connected' } });
    expect(calls()).toMatch(
      new RegExp(
        `^tunnel --no-autoupdate --metrics 127.0.0.1:\\d+ run --url http://127.0.0.1:${daemon.port} groundcontrol\n$`,
      ),
    );
  });

  it('takes the address of a quick tunnel, and drops it with the tunnel', async () => {
    installScriptedCloudflared(folder);
    const opened = await open({ kind: 'cloudflare' });
    expect(opened.json.urls).toEqual(['https://sunny-day.trycloudflare.com']);
    installScriptedCloudflared(folder, { hostname: 'rainy-day.trycloudflare.com' });
    process.kill(pidIn(), 'SIGKILL');
    const urls = async () => (await call('GET', '/api/remote')).json.urls;
    await expect.poll(urls).toEqual(['https://rainy-day.trycloudflare.com']);
    expect((await call('DELETE', '/api/remote/tunnel')).json.urls).toEqual([]);
  });

  it('says where to get it if it is missing', async () => {
    const refused = await open({ kind: 'cloudflare', name: 'x' });
    expect(refused.json.error.message).toContain('Install cloudflared: https://');
  });
});

it('answers a check once, and only one that it made', async () => {
  expect((await daemon.call('GET', '/api/remote/probe/guess', { token: false })).status).toBe(404);
});
