import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type LoopbackServer, listenOnLoopback } from '../../../test/kit/loopback-server.ts';
import { type Answer, type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';

// `npm test` installs bubblewrap and socat (scripts/programs.mjs) and fails if it can't. macOS uses a different sandbox.
const isLinux = process.platform === 'linux';

describe.runIf(isLinux)('sandbox', () => {
  let native: NativeTools;
  /** Files that must stay unchanged and unread. */
  let outside: string;
  let server: LoopbackServer;
  let hits = 0;
  let closeSocket: () => void;

  beforeAll(async () => {
    outside = await realpath(await mkdtemp(join(tmpdir(), 'gc-outside-')));
    await mkdir(join(outside, 'data'));
    await writeFile(join(outside, 'data', 'secret.db'), 'TOPSECRET');
    await mkdir(join(outside, '.ssh'));
    await writeFile(join(outside, '.ssh', 'id_ed25519'), 'TOPSECRET');
    await writeFile(join(outside, 'victim.txt'), 'unchanged');
    server = await listenOnLoopback((_, response) => {
      hits += 1;
      response.end('reached');
    });
    const socket = createServer((connection) => connection.end('reached'));
    await new Promise<void>((resolve) => socket.listen(join(outside, 'agent.sock'), resolve));
    closeSocket = () => socket.close();
    process.env.GC_TEST_API_KEY = 'TOPSECRET';
    native = await openNativeTools({
      env: process.env,
      sandbox: {
        unreadable: [join(outside, 'data'), join(outside, '.ssh')],
        limits: { fileBytes: 20_000_000, memoryBytes: 1024 ** 3 },
      },
    });
    const git = (...args: string[]) => execFileSync('git', args, { cwd: native.folder, stdio: 'ignore' });
    git('init', '-q');
    git('config', 'user.email', 'a@b.c');
    git('config', 'user.name', 'x');
    await writeFile(join(native.folder, '.bashrc'), '# mine\n');
    await symlink(join(outside, 'victim.txt'), join(native.folder, 'link.txt'));
    await symlink(outside, join(native.folder, 'linkdir'));
    await mkdir(join(native.folder, 'sub'));
    execFileSync('git', ['init', '-q', 'nested'], { cwd: native.folder, stdio: 'ignore' });
  });
  afterAll(async () => {
    delete process.env.GC_TEST_API_KEY;
    closeSocket();
    await native.close();
    await server.close();
    await rm(outside, { recursive: true, force: true });
  });

  const boxed = (command: string, more: object = {}): Promise<Answer> =>
    native.call('Bash', { command, sandbox: true, timeout: 30_000, ...more });
  const inside = (name: string) => join(native.folder, name);
  /** Where an escape would show, and how. */
  const untouched = async () => {
    expect(await readFile(join(outside, 'victim.txt'), 'utf8')).toBe('unchanged');
    expect(existsSync(join(outside, 'new.txt'))).toBe(false);
    expect(await readFile(inside('.bashrc'), 'utf8')).toBe('# mine\n');
    expect(hits).toBe(0);
  };

  describe('escape attempts', () => {
    const at = (name: string) => `"$OUTSIDE/${name}"`;
    const attempts: [name: string, command: string][] = [
      ['write a file outside', `echo x > ${at('new.txt')}`],
      ['overwrite a file outside', `echo x > ${at('victim.txt')}`],
      ['append to a file outside', `echo x >> ${at('victim.txt')}`],
      ['truncate a file outside', `truncate -s 0 ${at('victim.txt')}`],
      ['delete a file outside', `rm -f ${at('victim.txt')}`],
      ['rename a file outside', `mv ${at('victim.txt')} ${at('new.txt')}`],
      ['change the mode outside', `chmod 000 ${at('victim.txt')}`],
      ['hard-link a file in and write it', `ln ${at('victim.txt')} hard && echo x > hard`],
      ['write through a symlink in the folder', 'echo x > link.txt'],
      ['write through a symlinked folder', 'echo x > linkdir/new.txt'],
      ['write through a new symlink', `ln -s "$OUTSIDE" fresh && echo x > fresh/new.txt`],
      ['write through dd and /proc/self/cwd', 'dd if=/dev/zero of=/proc/self/cwd/linkdir/new.txt count=1'],
      ['write through /proc/1/root', `echo x > "/proc/1/root$OUTSIDE/new.txt"`],
      ['write to /etc', 'echo x > /etc/gc-escape'],
      ['write to /usr', 'echo x > /usr/gc-escape'],
      ['remount the root writable', 'mount -o remount,rw / && echo x > /etc/gc-escape'],
      ['bind-mount over a folder', `mount --bind "$OUTSIDE" sub && echo x > sub/new.txt`],
      ['unmount the protection of .git/hooks', 'umount .git/hooks && echo x > .git/hooks/pre-commit'],
      ['write a git hook', 'echo x > .git/hooks/pre-commit'],
      ['rename the hooks folder', 'mv .git/hooks .git/hooks2'],
      ['rename .git', 'mv .git .git2'],
      ['replace the git config', 'git config core.hooksPath /tmp/evil'],
      ['write a hook of a nested repository', 'echo x > nested/.git/hooks/pre-commit'],
      ['change a shell rc file', 'echo evil >> .bashrc'],
      ['replace a shell rc file by renaming', 'echo evil > x && mv -f x .bashrc'],
      ['create agent settings', 'mkdir -p .claude && echo {} > .claude/settings.json'],
      ['create an MCP config', 'echo {} > .mcp.json'],
      ['read our data dir', `grep TOPSECRET ${at('data/secret.db')}`],
      ['read SSH keys', `grep TOPSECRET ${at('.ssh/id_ed25519')}`],
      ['read SSH keys through a symlink', 'ln -sf "$OUTSIDE/.ssh/id_ed25519" key; grep TOPSECRET key'],
      ['read secrets through /proc/1/root', `grep TOPSECRET "/proc/1/root$OUTSIDE/data/secret.db"`],
      ['read an API key from the environment', 'test -n "$GC_TEST_API_KEY"'],
      [
        'read the environment of the host',
        "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep GC_TEST_API_KEY=TOPSECRET",
      ],
      ['reach a local server', 'curl --noproxy "*" -sf -m 5 "$SERVER"'],
      ['reach a local server through the proxy', 'curl -sf -m 5 "$SERVER"'],
      ['reach a local server with raw TCP', 'exec 3<>"/dev/tcp/127.0.0.1/$PORT"'],
      ['reach the internet by name', 'curl -sf -m 5 http://example.com/'],
      ['resolve a name', 'getent hosts example.com'],
      [
        'connect to a unix socket',
        `node -e 'require("net").connect(process.env.OUTSIDE+"/agent.sock").on("data",()=>process.exit(0)).on("error",()=>process.exit(1))'`,
      ],
      ['see and signal the host process', 'kill -0 "$HOST_PID"'],
      [
        'attach to the host with ptrace',
        'gdb -batch -p "$HOST_PID" -ex quit 2>&1 | grep -q "Attaching" && ! gdb -batch -p "$HOST_PID" -ex quit 2>&1 | grep -qi "no such process\\|not permitted"',
      ],
      ['write the memory of the host', 'echo x > "/proc/$HOST_PID/mem"'],
      ['load a kernel module', 'modprobe dummy || insmod /tmp/none.ko'],
      ['fill the disk', 'head -c 60000000 /dev/zero > big'],
      [
        'take all memory',
        `node --max-old-space-size=8000 -e 'const a=[];for(let i=0;i<40;i++)a.push(Buffer.alloc(1e8,1));'`,
      ],
      ['make a device node', 'mknod disk b 8 0 && head -c 1 disk'],
      ['start a setuid program', 'su -c true'],
    ];

    it.each(attempts)('fails to %s', async (_, command) => {
      const setup = `OUTSIDE='${outside}' SERVER='${server.url}' PORT=${new URL(server.url).port} HOST_PID=${process.pid}`;
      const answer = await boxed(`${setup}; export OUTSIDE SERVER PORT HOST_PID; ${command}`);
      expect(answer).toMatchObject({ isError: true });
      expect(answer.text).not.toContain('TOPSECRET');
      expect(answer.text).not.toContain('reached');
      expect(existsSync('/etc/gc-escape') || existsSync('/usr/gc-escape')).toBe(false);
      await untouched();
    });

    it("ends a command's background processes with it", async () => {
      await boxed('for i in $(seq 100); do (setsid env -i sleep 297 &) ; done; sleep 0.2');
      const left = execFileSync('ps', ['-A', '-o', 'args=']).toString();
      expect(left).not.toContain('sleep 297');
    });

    it('sets a new repository aside, because its hooks would run outside the sandbox', async () => {
      const answer = await boxed('git init -q fresh-repo && echo evil > fresh-repo/.git/hooks/pre-commit');
      expect(answer).toMatchObject({ isError: true, text: expect.stringContaining('set aside') });
      expect(existsSync(inside('fresh-repo/.git'))).toBe(false);
      expect(existsSync(inside('fresh-repo/.git-from-sandbox'))).toBe(true);
    });
  });

  it('succeeds with the same commands outside the sandbox, as a control', async () => {
    const free = (command: string) =>
      native.call('Bash', { command: `OUTSIDE='${outside}'; export OUTSIDE; ${command}` });
    expect(await free('echo x > "$OUTSIDE/control" && rm "$OUTSIDE/control"')).toMatchObject({ isError: false });
    expect(await free('grep -c TOPSECRET "$OUTSIDE/.ssh/id_ed25519"')).toMatchObject({ isError: false });
    expect(await free(`kill -0 ${process.pid}`)).toMatchObject({ isError: false });
    expect(await free('echo x > .git/hooks/control && rm .git/hooks/control')).toMatchObject({ isError: false });
    expect(await free(`exec 3<>"/dev/tcp/127.0.0.1/${new URL(server.url).port}"`)).toMatchObject({ isError: false });
    const socket = `require("net").connect(process.env.OUTSIDE+"/agent.sock").on("data",()=>process.exit(0)).on("error",()=>process.exit(1))`;
    expect(await free(`node -e '${socket}'`)).toMatchObject({ isError: false });
  });

  describe('allowed work', () => {
    it('reads and writes the folder, runs programs, and commits', async () => {
      expect(await boxed('echo hello > note.txt && cat note.txt')).toMatchObject({ isError: false, text: 'hello' });
      expect(await boxed('mkdir -p deep/er && touch deep/er/file && rm -r deep')).toMatchObject({ isError: false });
      expect(await boxed('git add note.txt && git commit -qm note && git log --oneline | wc -l')).toMatchObject({
        isError: false,
        text: '1',
      });
      expect(await boxed(`node -e 'console.log(6*7)'`)).toMatchObject({ isError: false, text: '42' });
    });

    it('has its own temp folder', async () => {
      const answer = await boxed('mktemp && cat <<< here');
      expect(answer).toMatchObject({ isError: false });
      expect(answer.text).toMatch(/gc-sandbox-.*\nhere$/s);
    });

    it('blames the sandbox and says how to run outside it', async () => {
      const answer = await boxed(`echo x > '${outside}/new.txt'`);
      expect(answer.text).toContain('because of the sandbox');
      expect(answer.text).toContain('without "sandbox"');
    });
  });
});
