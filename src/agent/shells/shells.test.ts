import { spawn } from 'node:child_process';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';
import { isAlive } from '../../../test/kit/processes.ts';
import { waitFor } from '../../../test/kit/wait.ts';

let native: NativeTools;
beforeEach(async () => {
  native = await openNativeTools({ limits: { graceMs: 300 } });
});
afterEach(() => native.close());

const bash = (command: string, more: object = {}) => native.call('Bash', { command, ...more });
const shellIn = (text: string) => /shell ID: (sh-\w+)/.exec(text)?.[1] ?? '';
/** The command writes its pid here so that the test can check on it afterwards. */
const pidIn = async (name: string) => {
  const path = join(native.folder, name);
  return Number(await waitFor(() => readFile(path, 'utf8').then((text) => text.trim()), { what: `pid in ${name}` }));
};

describe('hostile commands', () => {
  it('ends a command that ignores TERM, and its children', async () => {
    const answer = await bash(`trap '' TERM; echo $$ > me; (trap '' TERM; sleep 300) & echo $! > child; sleep 300`, {
      timeout: 300,
    });
    expect(answer).toMatchObject({
      isError: true,
      text: expect.stringContaining('timed out after 300 ms and was killed'),
    });
    for (const name of ['me', 'child']) expect(isAlive(await pidIn(name))).toBe(false);
  });

  it('detects the exit while a detached daemon keeps the pipe open, lists the daemon, and ends it on request', async () => {
    const answer = await bash(`(setsid sh -c 'echo $$ > daemon; exec sleep 300' &) ; echo started`);
    expect(answer.isError).toBe(false);
    expect(answer.text).toMatch(/^started\n.*left behind still running \(shell ID: sh-/);
    const daemon = await pidIn('daemon');
    expect(isAlive(daemon)).toBe(true);
    expect(await native.shells.get(shellIn(answer.text)).tree()).toContain(`${daemon} waiting`);
    expect((await native.call('KillShell', { shell_id: shellIn(answer.text) })).text).toContain(
      'Nothing it started is still running',
    );
    expect(isAlive(daemon)).toBe(false);
  });

  it('ends a double fork with everything else when the session closes', async () => {
    await bash(`( ( nohup setsid sh -c 'echo $$ > deep; exec sleep 300' >/dev/null 2>&1 & ) & ) ; sleep 0.1`);
    const deep = await pidIn('deep');
    expect(isAlive(deep)).toBe(true);
    expect(await native.shells.close()).toEqual([]);
    expect(isAlive(deep)).toBe(false);
  });

  it('keeps memory and disk bounded while a command floods 1 GB of output', async () => {
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    const answer = await bash('head -c 1000000000 /dev/zero | tr "\\0" x; echo; echo the end', { timeout: 600_000 });
    clearInterval(watch);
    expect(answer.text).toContain('the end');
    expect(answer.text).toContain('Full output:');
    expect(answer.text.length).toBeLessThan(40_000);
    expect(peak - before).toBeLessThan(250 * 1024 * 1024);
    const [, path = ''] = /Full output: (\S+)/.exec(answer.text) ?? [];
    expect((await stat(path)).size).toBeLessThanOrEqual(native.shells.limits.disk);
    const shown = native.events.flatMap((event) => (event.type === 'tool.output' ? [event.text.length] : []));
    expect(Math.max(...shown)).toBeLessThanOrEqual(8192);
  });

  it('ends a flood in the background on request, and keeps the end of its output', async () => {
    const { text } = await bash('yes flood', { run_in_background: true });
    const shell = native.shells.get(shellIn(text));
    await waitFor(() => shell.read(0).missed > 0, { what: 'more output than is kept' });
    expect(await shell.kill()).toEqual([]);
    const { pieces } = shell.read(0);
    expect(pieces.reduce((sum, piece) => sum + piece.text.length, 0)).toBeLessThanOrEqual(native.shells.limits.memory);
    expect(shell.state).toBe('killed');
  });

  it('survives a full disk, and says how much output is missing', async () => {
    // a folder in place of the file: opening it fails, as on a full disk
    const folder = `${tmpdir()}/gc-shells-*/"$GROUNDCONTROL_SHELL"`;
    const answer = await bash(`mkdir "$(echo ${folder})/output.txt"; head -c 50000 /dev/zero | tr '\\0' x`);
    expect(answer).toMatchObject({ isError: false, text: expect.stringContaining('characters were not stored') });
  });

  it('gives a command that reads input EOF, and no terminal to prompt on', async () => {
    expect(await bash('cat; echo done; read -r line </dev/tty || echo no terminal')).toMatchObject({
      text: expect.stringMatching(/^done\nno terminal/),
    });
  });

  it('ends many quick forks', async () => {
    const answer = await bash('for i in $(seq 60); do (sleep 300 &) ; done; sleep 300', { timeout: 500 });
    expect(answer.text).toContain('timed out');
    expect(answer.text).not.toContain('could not be ended');
    expect(native.shells.list().every(({ state }) => state !== 'running')).toBe(true);
  });

  it('leaves nothing behind when its own process is killed', async () => {
    const script = join(native.folder, 'host.ts');
    const shells = join(import.meta.dirname, 'shells.ts');
    await writeFile(
      script,
      `import { Shells } from ${JSON.stringify(shells)};
       const shells = new Shells({ emit: () => undefined, env: process.env });
       shells.start({ command: 'x', argv: () => ['bash', '-c', 'setsid sleep 300 & echo $! > one; echo $$ > two; sleep 300'], cwd: ${JSON.stringify(native.folder)} });
       setInterval(() => undefined, 1000);`,
    );
    const bundle = await rolldown({ input: script, platform: 'node' });
    await bundle.write({ file: join(native.folder, 'host.mjs'), format: 'esm' });
    const host = spawn(process.execPath, [join(native.folder, 'host.mjs')], { stdio: 'ignore' });
    const started = [await pidIn('one'), await pidIn('two')];
    expect(started.map(isAlive)).toEqual([true, true]);
    host.kill('SIGKILL');
    await waitFor(() => !started.some(isAlive), { what: 'the sweeper to end everything' });
  });
});

describe('shells', () => {
  it('runs in the background, reports new output only, marks stderr, and filters', async () => {
    const { text } = await bash('echo one; echo two >&2; while [ ! -e go ]; do sleep 0.02; done; echo three', {
      run_in_background: true,
    });
    expect(text).toMatch(/^Command running in background \(shell ID: sh-\w+\)$/);
    const id = shellIn(text);
    await waitFor(() => native.shells.get(id).read(0).cursor >= 8, { what: 'output' });
    const first = await native.call('BashOutput', { shell_id: id });
    expect(first.text).toContain('state: running');
    expect(first.text).toContain('one');
    expect(first.text).toContain('[stderr] two');
    await writeFile(join(native.folder, 'go'), '');
    await native.shells.get(id).ended;
    const second = await native.call('BashOutput', { shell_id: id, filter: 'thr' });
    expect(second.text).toBe('state: exited, exit code 0\nthree');
    expect((await native.call('BashOutput', { shell_id: id, filter: '(' })).isError).toBe(true);
  });

  it('attaches in the middle without a gap', async () => {
    const { text } = await bash('for i in $(seq 400); do echo line $i; done', { run_in_background: true });
    const shell = native.shells.get(shellIn(text));
    let seen = '';
    await waitFor(() => shell.read(0).cursor > 0, { what: 'first output', interval: 1 });
    shell.attach(0, (_, more) => {
      seen += more;
    });
    await shell.ended;
    expect(seen).toBe(Array.from({ length: 400 }, (_, at) => `line ${at + 1}\n`).join(''));
  });

  it('returns ShellNotFound for unknown ids, and refuses shells beyond the limit', async () => {
    expect(await native.call('BashOutput', { shell_id: 'nope' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('ShellNotFound'),
    });
    expect((await native.call('KillShell', { shell_id: 'nope' })).text).toContain('ShellNotFound');
    await native.close();
    native = await openNativeTools({ most: 1 });
    await bash('sleep 300', { run_in_background: true });
    expect(await bash('echo hi')).toMatchObject({ isError: true, text: expect.stringContaining('KillShell first') });
  });

  it('keeps the working directory between commands, unless a command is sent to the background', async () => {
    await bash('mkdir -p a/b');
    expect((await bash('cd a/b')).text).toContain('The working directory is now');
    expect((await bash('pwd')).text).toBe(join(native.folder, 'a/b'));
    expect((await bash('cd /; exit 3')).text).toContain('Exit code 3');
    expect((await bash('pwd')).text).toBe('/');
    const background = AbortSignal.abort();
    const moved = await native.call('Bash', { command: 'cd /tmp; sleep 300' }, { background });
    expect(moved).toMatchObject({
      isError: false,
      text: expect.stringMatching(/^Command moved to background \(shell ID: sh-\w+\)/),
    });
    expect((await bash('pwd')).text).toBe('/');
  });

  it('separates stdout from stderr, keeps multi-byte characters intact, and hides our own secrets', async () => {
    await native.close();
    native = await openNativeTools({ env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'secret', OTHER: 'kept' } });
    const answer = await bash(
      'printf "\\303"; sleep 0.05; printf "\\244\\n"; echo oops >&2; echo "$ANTHROPIC_API_KEY$OTHER$GIT_EDITOR"; false',
    );
    expect(answer).toMatchObject({ isError: true, text: 'ä\nkepttrue\n[stderr]\noops\nExit code 1' });
  });

  it('runs another shell only by its path', async () => {
    expect((await bash('echo $0', { shellExecutable: '/bin/sh' })).text).toBe('sh');
    expect((await bash('echo $0', { shellExecutable: '/usr/bin/python3' })).isError).toBe(true);
  });

  it('kills a running command when the operator interrupts', async () => {
    const stop = new AbortController();
    const running = native.call('Bash', { command: 'echo $$ > me; sleep 300' }, { signal: stop.signal });
    const pid = await pidIn('me');
    stop.abort();
    expect(await running).toMatchObject({ isError: true, text: expect.stringContaining('killed by the operator') });
    expect(isAlive(pid)).toBe(false);
  });
});
