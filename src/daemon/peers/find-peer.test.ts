import { spawn } from 'node:child_process';
import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { climbTable, readAncestors, startedAt } from './ancestors.ts';
import { readFamily } from './descendants.ts';
import { findPeer } from './find-peer.ts';
import { inodeIn } from './find-peer-linux.ts';
import { holderIn } from './find-peer-lsof.ts';

/** Accepts connections and says whose the next one is. */
async function listen(): Promise<{ port: number; next: () => Promise<Socket> }> {
  const waiting: ((socket: Socket) => void)[] = [];
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    waiting.shift()?.(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { port, next: () => new Promise((resolve) => waiting.push(resolve)) };
}

function connectFrom(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

const connection = { localAddress: '127.0.0.1', localPort: 8765, remoteAddress: '127.0.0.1', remotePort: 51_000 };

describe('the process at the other end', () => {
  it.each([
    ['IPv4', '127.0.0.1'],
    ['an IPv6 socket', '::ffff:127.0.0.1'],
  ])('is found by its connection, over %s', async (_what, host) => {
    const { port, next } = await listen();
    const accepted = next();
    const child = connectFrom(`require('net').connect({ port: ${port}, host: '${host}' }).on('error', () => {})`);
    const peer = await findPeer(await accepted);
    expect(peer).toMatchObject({ kind: 'process', pid: child.pid });
    const [own, parent] = await readAncestors(child.pid!);
    expect(own).toMatchObject({ pid: child.pid, start: (peer as { start: string }).start });
    expect(parent?.pid).toBe(process.pid);
    expect(Math.abs(startedAt(own!.start) - Date.now())).toBeLessThan(60_000);
  });

  it('is our own process if we made the request', async () => {
    const { port, next } = await listen();
    const accepted = next();
    const { connect } = await import('node:net');
    const socket = connect(port, '127.0.0.1');
    onTestFinished(() => void socket.destroy());
    expect(await findPeer(await accepted)).toMatchObject({ kind: 'process', pid: process.pid });
  });

  it('that disconnected is reported as gone, whatever it sent before', async () => {
    const { port, next } = await listen();
    const accepted = next();
    const child = connectFrom(
      `const s = require('net').connect(${port}, '127.0.0.1', () => s.write('x', () => process.kill(process.pid, 'SIGKILL')))`,
    );
    const gone = new Promise((resolve) => child.once('exit', resolve));
    const socket = await accepted;
    await gone;
    expect(await findPeer(socket)).toEqual({ kind: 'gone' });
  });

  it('is distinct from one with the same port at another address', () => {
    const row = (address: string, inode: number) =>
      `   1: ${address}:C738 0100007F:223D 01 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 x 20 4 30 10 -1\n`;
    const table = `  sl  local_address rem_address   st\n${row('0200007F', 11)}${row('0100007F', 22)}`;
    expect(inodeIn(table, connection)).toBe('22');
    expect(inodeIn(table, { ...connection, remoteAddress: '127.0.0.2' })).toBe('11');
    expect(inodeIn(table, { ...connection, remotePort: 51_001 })).toBeUndefined();
  });

  it('is read from what lsof prints', () => {
    const output = 'p412\nf21\nn127.0.0.1:8765->127.0.0.1:51000\np977\nf5\nn127.0.0.1:51000->127.0.0.1:8765\n';
    expect(holderIn(output, connection)).toBe(977);
    expect(holderIn(output, { ...connection, remotePort: 51_001 })).toBeUndefined();
  });
});

describe('what a process descends from', () => {
  it('is read from what ps prints', () => {
    const output = `    1     0     1 ??       Sat Nov 15 22:24:47 2025     launchd
  500     1   500 ??       Sat Nov 15 22:25:01 2025     Terminal
  501   500   501 ttys003  Sat Nov 15 22:25:02 2025     zsh
  600   501   600 ttys003  Sun Nov 16 09:00:00 2025     node
`;
    expect(climbTable(output, 600)).toEqual([
      { pid: 600, start: 'Sun Nov 16 09:00:00 2025', name: 'node', kernelSession: 600, tty: 'ttys003', mark: null },
      { pid: 501, start: 'Sat Nov 15 22:25:02 2025', name: 'zsh', kernelSession: 501, tty: 'ttys003', mark: null },
      { pid: 500, start: 'Sat Nov 15 22:25:01 2025', name: 'Terminal', kernelSession: 500, tty: null, mark: null },
    ]);
    expect(climbTable(output, 999)).toEqual([]);
  });

  it('includes a grandchild', async () => {
    const child = spawn('sh', ['-c', 'sleep 60 & wait'], { stdio: 'ignore', detached: true });
    onTestFinished(() => void process.kill(-child.pid!, 'SIGKILL'));
    await expect.poll(async () => (await readFamily(child.pid!)).below.length).toBe(1);
    const { root, below } = await readFamily(process.pid);
    expect(root?.pid).toBe(process.pid);
    expect(below.map(({ pid }) => pid)).toContain(child.pid);
    expect(below.some(({ kernelSession, pid }) => kernelSession === child.pid && pid !== child.pid)).toBe(true);
  });
});
