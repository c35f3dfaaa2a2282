import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Link } from '../../src/contract/access.ts';
import { DaemonStatus } from '../../src/contract/daemon.ts';
import { SessionList } from '../../src/contract/sessions.ts';
import { HOOK_TOKEN_HEADER } from '../../src/daemon/access/guard.ts';
import { checkout, startDaemonProcess } from '../kit/daemon-process.ts';
import { pair } from '../kit/pair.ts';
import { makeGctlHome } from '../kit/run-gctl.ts';
import { waitFor } from '../kit/wait.ts';

const UP = ['up', '--detach', '--no-open', '--port', '0'];

async function startDetached(...args: string[]) {
  const home = makeGctlHome();
  const run = await home.gctl(...UP, ...args);
  expect(run).toMatchObject({ code: 0, stderr: '' });
  return { ...home, output: run.stdout, url: home.daemon()!.url };
}

/** A port that another program holds. */
async function takePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

async function postHook({ dataDir, url }: { dataDir: string; url: string }, payload: Record<string, unknown>) {
  const { hookToken } = JSON.parse(readFileSync(join(dataDir, 'credentials.json'), 'utf8'));
  const headers = { [HOOK_TOKEN_HEADER]: hookToken };
  const answer = await fetch(`${url}/api/live/hook`, { method: 'POST', headers, body: JSON.stringify(payload) });
  expect(answer.status).toBe(200);
}

describe('up', () => {
  test('in the foreground prints the link and runs until a signal ends it', async () => {
    const daemon = await startDaemonProcess();
    onTestFinished(daemon.dispose);
    await expect.poll(daemon.output).toContain('Press Ctrl-C to stop');
    expect(daemon.output()).toContain(`Ground Control is running at ${daemon.url}`);
    // the test signed in with the link
    expect(daemon.output()).toMatch(new RegExp(`^Open: ${daemon.url}/pair\\?code=\\S+$`, 'm'));
    expect(daemon.operatorToken).toMatch(/^[\w-]{43}$/);
    await daemon.kill('SIGTERM');
    expect(daemon.child.exitCode).toBe(0);
    expect(existsSync(join(daemon.dataDir, 'daemon.json'))).toBe(false);
  });

  test('in the background returns at once, and keeps the link out of the log', async () => {
    const { output, url, dataDir, gctl } = await startDetached();
    expect(output).toMatch(
      new RegExp(`^Ground Control is running at ${url}\\nHooks: .*\\nOpen: ${url}/pair\\?code=\\S+\\n$`),
    );
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const log = readFileSync(join(dataDir, 'daemon.log'), 'utf8');
    expect(log).not.toContain('pair?code=');
    expect((await gctl('down')).stdout).toBe('Stopped.\n');
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  test('a second start says where the first one is running', async () => {
    const { gctl, url } = await startDetached();
    for (const args of [['up'], ['up', '--detach'], ['up', '--port', '0'], ['up', '--port', new URL(url).port]]) {
      const { code, stdout } = await gctl(...args, '--no-open');
      expect([args, code]).toEqual([args, 0]);
      expect(stdout).toMatch(
        new RegExp(`^Ground Control is already running at ${url}\\nHooks: .*\\nOpen: ${url}/pair\\?code=\\S+\\n$`),
      );
    }
    const other = await gctl('up', '--port', '9');
    expect(other).toMatchObject({ code: 1, stdout: '' });
    expect(other.stderr).toMatch(/already running at .* Stop it first \(gctl down\), or use another --data-dir/);
  });

  test.each([[[]], [['--detach']]])('on a taken port suggests a fix %j', async (args) => {
    const { gctl } = makeGctlHome();
    const port = await takePort();
    const { code, stdout, stderr } = await gctl('up', '--no-open', '--port', String(port), ...args);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toContain(`Port ${port} is in use by another program. Choose another: --port ${port + 1}`);
    expect(stderr).not.toContain('    at ');
  });

  test('uses its own folder, and leaves one that others use unchanged', async () => {
    const { home, gctl, run } = makeGctlHome();
    const shared = join(home, 'shared');
    mkdirSync(shared);
    chmodSync(shared, 0o755);
    writeFileSync(join(shared, 'notes.txt'), 'mine');
    const refused = await gctl(...UP, '--data-dir', shared);
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`--data-dir ${join(shared, 'groundcontrol')}`);
    expect(statSync(shared).mode & 0o777).toBe(0o755);

    const elsewhere = { env: { GROUNDCONTROL_HOME: join(home, 'elsewhere') } };
    expect((await run(UP, elsewhere)).code).toBe(0);
    expect(statSync(join(home, 'elsewhere')).mode & 0o777).toBe(0o700);
    expect(statSync(join(home, 'elsewhere', 'journal.db')).mode & 0o777).toBe(0o600);
    expect((await gctl('status')).code).toBe(3);
    expect((await run(['status'], elsewhere)).code).toBe(0);
    expect((await gctl('status', '--data-dir', join(home, 'elsewhere'))).code).toBe(0);
    expect((await run(['down'], elsewhere)).stdout).toBe('Stopped.\n');
  });
});

describe('status', () => {
  test('shows every session, the ones that need the operator first', async () => {
    const world = await startDetached();
    await postHook(world, {
      session_id: 'a1',
      hook_event_name: 'UserPromptSubmit',
      prompt: 'Build the shed',
      cwd: '/w',
    });
    await postHook(world, { session_id: 'b2', hook_event_name: 'UserPromptSubmit', prompt: 'Paint it', cwd: '/w' });
    // held until it is decided, so not awaited
    const asking = { session_id: 'b2', hook_event_name: 'PermissionRequest', tool_name: 'Bash', tool_input: {} };
    postHook(world, asking).catch(() => undefined);
    await expect
      .poll(async () => (await world.gctl('status')).stdout, { timeout: 30_000, interval: 500 })
      .toMatch(
        /Needs you 1 request, 0 idle\n.*b2 .*Needs permission: Bash.*Paint it[\s\S]*Running 1\n.*a1 .*Build the shed[\s\S]*Done 0/,
      );
    const { stdout } = await world.gctl('status', '--json');
    const { daemon, sessions } = JSON.parse(stdout);
    expect(DaemonStatus.parse(daemon).url).toBe(world.url);
    expect(
      SessionList.parse({ sessions })
        .sessions.map(({ id }) => id)
        .sort(),
    ).toEqual(['a1', 'b2']);
  });

  test.each([['status'], ['down'], ['link'], ['devices'], ['token']])(
    '%s without a daemon is exit 3',
    async (command) => {
      const { gctl, dataDir } = makeGctlHome();
      const { code, stdout, stderr } = await gctl(command);
      expect([code, stdout]).toEqual([3, '']);
      expect(stderr).toMatch(/^gctl: .* gctl up\n$/);
      expect(existsSync(dataDir)).toBe(false);
    },
  );

  test('is not fooled by leftovers of a killed daemon or by a foreign file', async () => {
    const { gctl, dataDir, daemon } = await startDetached();
    process.kill(daemon()!.pid, 'SIGKILL');
    await expect.poll(async () => (await gctl('status')).code).toBe(3);
    writeFileSync(join(dataDir, 'daemon.json'), 'tea');
    const { code, stderr } = await gctl('status');
    expect(code).toBe(1);
    expect(stderr).toBe(
      `gctl: ${join(dataDir, 'daemon.json')} isn't a file that Ground Control wrote. Delete it and try again.\n`,
    );
    writeFileSync(join(dataDir, 'daemon.json'), '{}');
    expect((await gctl('status')).stderr).toBe(stderr);
    // the start rewrites it
    rmSync(join(dataDir, 'daemon.json'));
    expect((await gctl(...UP)).code).toBe(0);
  });
});

describe('credentials', () => {
  test('token is a bearer for scripts', async () => {
    const { gctl, url } = await startDetached();
    const token = (await gctl('token')).stdout.trim();
    const answer = await fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, await answer.json()]).toEqual([200, { sessions: [] }]);
  });

  test('link signs in one browser, and devices lists and revokes it', async () => {
    const { gctl, url } = await startDetached();
    const link = Link.parse(JSON.parse((await gctl('link', '--role', 'viewer', '--name', 'Wall', '--json')).stdout));
    expect((await gctl('link')).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/pair\?code=[\w-]+\n$/);
    const token = await pair(link.url);
    const look = async () =>
      (await fetch(`${url}/api/sessions`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await look()).toBe(200);

    const row = (await gctl('devices')).stdout.split('\n').find((line) => line.endsWith('Wall')) ?? '';
    expect(row).toMatch(/^[0-9a-f]{8} {2}viewer {2}\d+s ago +Wall$/);
    const id = row.slice(0, 8);
    expect(JSON.parse((await gctl('devices', 'list', '--json')).stdout).devices).toMatchObject([
      { id: 'local', kind: 'local', current: false },
      { kind: 'bearer', role: 'admin', current: true },
      { name: 'Wall', role: 'viewer', current: false },
    ]);
    expect(await gctl('devices', 'revoke', 'zzz')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('No device matches zzz'),
    });
    expect(await gctl('devices', 'revoke', 'local')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("can't be revoked"),
    });
    const security = await gctl('doctor', '--security');
    expect(security.code).toBe(0);
    expect(security.stdout).toMatch(/HTTP +port \d+ on 127\.0\.0\.1: only programs on this machine/);
    expect(security.stdout).toMatch(/HTTPS +closed: no other machine can connect/);
    expect(security.stdout).toMatch(/Device +Wall views, with secrets masked, by a token; last seen/);
    expect(security.stdout).toMatch(/Files +only you can read/);
    expect(await gctl('devices', 'revoke', id)).toMatchObject({ code: 0, stdout: 'Revoked: Wall\n' });
    expect(await look()).toBe(401);
  });
});

describe('doctor', () => {
  test('finds nothing wrong before the first start, and leaves no trace', async () => {
    const { gctl, dataDir, configDir, run } = makeGctlHome();
    const port = String(await takePort());
    const healthy = await run(['doctor'], { env: { GROUNDCONTROL_PORT: '0' } });
    expect(healthy).toMatchObject({ code: 0, stderr: '' });
    expect(healthy.stdout).toMatch(
      /^✓ Node .*\n✓ Data dir .*\(created on first start\)\n! Daemon +not running\n +→ Start it: gctl up\n/,
    );
    const taken = await run(['doctor', '--json'], { env: { GROUNDCONTROL_PORT: port } });
    expect(taken.code).toBe(1);
    expect(JSON.parse(taken.stdout).findings).toContainEqual({
      check: 'Port',
      verdict: 'wrong',
      detail: `${port} is in use by another program`,
      fix: `Choose another port: gctl up --port ${Number(port) + 1}`,
    });
    expect(existsSync(dataDir)).toBe(false);
    expect((await gctl('hooks', 'status')).code).toBe(1);
    expect([existsSync(dataDir), existsSync(join(configDir, 'settings.json'))]).toEqual([false, false]);
  });

  test('reports unknown hook events and transcript lines', async () => {
    const world = await startDetached('--hooks');
    await postHook(world, { session_id: 's', hook_event_name: 'TeaTime' });
    await postHook(world, { session_id: 's', hook_event_name: 'TeaTime' });
    mkdirSync(join(world.configDir, 'projects', 'p'), { recursive: true });
    writeFileSync(join(world.configDir, 'projects', 'p', 's.jsonl'), '{"type":"user"}\n{"type":"biscuit"}\n');
    const { stdout } = await waitFor(
      async () => {
        const answer = await world.gctl('doctor');
        return answer.code === 0 && answer.stdout.includes('biscuit') ? answer : undefined;
      },
      { what: 'the transcript to be read', timeout: 60_000 },
    );
    expect(stdout).toMatch(/! Hook events +unknown to this version: TeaTime \(2\)\n +→ /);
    expect(stdout).toMatch(/! Transcripts +unknown to this version: biscuit \(1\)\n +→ /);
    expect(stdout).toMatch(/✓ Hooks +All \d+ events are registered in /);
    expect(await world.gctl('down')).toMatchObject({ code: 0 });
    expect((await world.gctl('doctor')).stdout).toMatch(
      /! Transcripts +2 lines in the newest 1 transcripts; unknown to this version: biscuit \(1\)\n +→ /,
    );
  });

  test('reports damaged transcript lines, skipped and readable ones separately', async () => {
    const world = await startDetached('--no-hooks');
    const path = join(world.configDir, 'projects', 'p', 's.jsonl');
    const said = (words: string) => `{"type":"user","message":{"role":"user","content":"${words}"}}\n`;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(
      path,
      Buffer.concat([
        Buffer.from(said('caf\xe9 crumbs'), 'latin1'),
        Buffer.from([0xff, 0xfe, 10]),
        Buffer.from(said('x'.repeat(50 * 1024 * 1024))),
        Buffer.from(`\0\0\0\n\0\0\0${said('after the crash')}${said('with\0in')}`),
        Buffer.from(`${said('all is well')}{"type":"biscuit"}\n`),
      ]),
    );
    const { stdout } = await waitFor(
      async () => {
        const answer = await world.gctl('doctor');
        return answer.stdout.includes('all indexed') && answer.stdout.includes('biscuit') ? answer : undefined;
      },
      { what: 'the transcript to be read', timeout: 60_000 },
    );
    const unread = `1 × neither UTF-8 nor JSON in ${path}, 1 × only NUL bytes in ${path}, 1 × NUL bytes in ${path}`;
    const read = `1 × not UTF-8 throughout in ${path}, 1 × longer than 32 MB in ${path}, 1 × NUL bytes before the line in ${path}`;
    const expectAll = (told: string) => {
      expect(told).toContain(`! Transcripts      3 lines could not be read: ${unread}\n`);
      expect(told).toContain(`! Transcripts      3 lines damaged but readable: ${read}\n`);
      expect(told).toContain('unknown to this version: biscuit (1)\n');
    };
    expectAll(stdout);
    for (const words of ['crumbs', 'crash', 'well'])
      expect((await world.gctl('search', words)).stdout, words).toContain(words);
    expect(await world.gctl('down')).toMatchObject({ code: 0 });
    expectAll((await world.gctl('doctor')).stdout);
  });

  test('names the line of broken settings, and leaves the file unchanged', async () => {
    const { gctl, settings, settingsFile, writeSettings } = makeGctlHome();
    const broken = '{\n  "model": "opus",\n}\n';
    writeSettings(broken);
    const where = `${settingsFile} is not valid JSON: there is an extra comma before this bracket, at line 3, column 1.`;
    for (const args of [['doctor'], ['hooks', 'status']]) {
      const { code, stdout } = await gctl(...args);
      expect([args, code]).toEqual([args, 1]);
      expect(stdout).toContain(where);
    }
    expect(await gctl('hooks', 'install')).toMatchObject({ code: 1, stderr: `gctl: ${where}\n` });

    const started = await gctl(...UP, '--hooks');
    expect(started).toMatchObject({ code: 1, stderr: `gctl: ${where}\n` });
    expect(started.stdout).toContain('Ground Control is running at ');
    for (const args of [['doctor'], ['hooks', 'status']]) {
      const { code, stdout } = await gctl(...args);
      expect([args, code]).toEqual([args, 1]);
      expect(stdout).toContain(where);
    }
    expect(settings()).toBe(broken);
  });

  test('reports an index that cannot be written, and fails commands that wait for it', async () => {
    const { gctl, dataDir } = makeGctlHome();
    mkdirSync(join(dataDir, 'history.db'), { recursive: true, mode: 0o700 });
    expect(await gctl(...UP)).toMatchObject({ code: 0 });
    const { code, stdout } = await waitFor(
      async () => {
        const answer = await gctl('doctor');
        return answer.stdout.includes("can't be indexed") ? answer : undefined;
      },
      { what: 'the failure', timeout: 60_000 },
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ Transcripts +can't be indexed: EISDIR.*\n +→ /);
    for (const command of [['stats'], ['search', 'word'], ['history']]) {
      const answer = await gctl(...command);
      expect([command, answer.code]).toEqual([command, 1]);
      expect(answer.stderr).toMatch(/^gctl: Can't index transcripts \(EISDIR.*--no-wait\.\n$/);
    }
  });

  test('reports hooks that are switched off in the settings', async () => {
    const { gctl, writeSettings } = makeGctlHome();
    writeSettings('{"disableAllHooks":true}');
    await gctl(...UP, '--hooks');
    const { code, stdout } = await gctl('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/✗ Hooks +"disableAllHooks" is on .*\n +→ Remove "disableAllHooks"/);
  });

  test.each(['settings.json', 'settings.local.json'])(
    "reports hooks that are switched off in a project's %s",
    async (name) => {
      const { run, home } = makeGctlHome();
      const inside = join(home, 'app', 'src');
      mkdirSync(join(home, 'app', '.git'), { recursive: true });
      mkdirSync(join(home, 'app', '.claude'));
      mkdirSync(inside);
      const file = join(home, 'app', '.claude', name);
      writeFileSync(file, '{"disableAllHooks":true}');
      const { code, stdout } = await run(['doctor'], { cwd: inside });
      expect(code).toBe(1);
      expect(stdout).toContain(`"disableAllHooks" is on in ${file}`);
      writeFileSync(file, '{"disableAllHooks":false}');
      expect((await run(['doctor'], { cwd: inside })).stdout).not.toContain('disableAllHooks');
    },
  );
});

describe('wrong usage is exit 2', () => {
  test.each([
    [['stauts'], 'Did you mean one of stats, status?'],
    [['hooks', 'instal'], 'Did you mean install?'],
    [['up', '--prot', '1'], 'Did you mean --port?'],
    [['up', '--port', '70000'], 'A port is a number from 0 to 65535.'],
    [['up', '--port', '-1'], 'A port is a number from 0 to 65535.'],
    [['up', '--port', '80a'], 'A port is a number from 0 to 65535.'],
    [['up', '--host', '0.0.0.0'], "doesn't serve plain HTTP beyond this machine"],
    [['up', '--host', '192.168.1.5'], 'gctl remote lan --host 192.168.1.5'],
    [['link', '--role', 'king'], 'Allowed choices are admin, operator, viewer.'],
    [['down', 'now'], 'too many arguments'],
    [['devices', 'revoke'], "missing required argument 'id'"],
    [[], 'Usage: gctl'],
  ])('%j', async (args, hint) => {
    const { code, stdout, stderr } = await makeGctlHome().gctl(...args);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain(hint);
  });

  test('an invalid variable matters only to commands that need it', async () => {
    const { run } = makeGctlHome();
    const env = { GROUNDCONTROL_PORT: 'abc' };
    const { code, stderr } = await run(['up'], { env });
    expect([code, stderr]).toEqual([2, 'gctl: GROUNDCONTROL_PORT is "abc". A port is a number from 0 to 65535.\n']);
    expect((await run(['status'], { env })).code).toBe(3);
    expect((await run(['up', '--help'], { env })).code).toBe(0);
    expect((await run([...UP], { env })).code).toBe(0);
  });
});

describe('help', () => {
  test('is printed for the program and for a command', async () => {
    const { gctl } = makeGctlHome();
    const main = await gctl('--help');
    expect(main).toMatchObject({ code: 0, stderr: '' });
    expect(main.stdout).toMatch(/^Usage: gctl[\s\S]*Environment:\n[\s\S]*Exit codes:/);
    const one = await gctl('hooks', 'install', '--help');
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(one.stdout).toMatch(/^Usage: gctl hooks install/);
  });

  test('and version work through a link on the PATH, from anywhere, under both names', async () => {
    const { home, run } = makeGctlHome();
    const { version } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
    for (const name of ['gctl', 'groundcontrol']) {
      symlinkSync(join(checkout, 'bin', name), join(home, name));
      const env = { PATH: `${home}:${process.env.PATH}` };
      expect(await run(['--version'], { program: name, env, cwd: '/' })).toEqual({
        code: 0,
        stdout: `${version}\n`,
        stderr: '',
      });
    }
  });
});

test('agents can be created, checked with and without a daemon, shown with parameters, and removed', async () => {
  const { home, gctl, run } = await startDetached();
  const app = join(home, 'app');
  mkdirSync(app);
  const agents = (...args: string[]) => run(['agents', ...args], { cwd: app });
  expect(await agents('new', 'reviewer', '--description', 'Reviews a diff', '--scope', 'project')).toMatchObject({
    code: 0,
    stdout: `Created ${join(app, '.groundcontrol/agents/reviewer')}\n`,
  });
  expect((await agents('list')).stdout).toMatch(/^reviewer +used +project +Reviews a diff\n$/);
  expect((await agents('new', '../x', '--description', 'x')).code).toBe(1);
  const folder = join(app, '.groundcontrol/agents/reviewer');
  const parameters = { type: 'object', properties: { depth: { type: 'integer' } }, required: ['depth'] };
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ name: 'reviewer', description: 'x', parameters }));
  writeFileSync(join(folder, 'agent.system-prompt.md'), 'Look {{depth}} deep.');
  expect((await agents('show', 'reviewer', '--param', 'depth=3')).stdout).toBe('Look 3 deep.\n');
  expect(await agents('show', 'reviewer', '--param', 'depth=much')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('depth must be integer'),
  });
  expect((await agents('check')).stdout).toBe('Checked 1: no problems.\n');
  expect((await agents('rm', 'reviewer')).code).toBe(0);
  await gctl('down');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'agent.json'), '{\n  "name": "reviewer",\n  "descripton": "x"\n}');
  const checked = await agents('check', 'reviewer');
  expect(checked).toMatchObject({ code: 1, stderr: '' });
  expect(checked.stdout).toContain(`${folder}/agent.json:3:3: error: There is no field "descripton".`);
});
