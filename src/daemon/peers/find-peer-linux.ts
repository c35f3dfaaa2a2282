import { readdirSync, readlinkSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { endianness } from 'node:os';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseStat } from '../processes/process-table.ts';
import { readProc } from '../processes/read-processes.ts';
import type { Connection, Peer } from './find-peer.ts';

/** How many processes to inspect per event loop turn: about a millisecond. */
const AT_ONCE = 16;

/** The kernel's connection list names the socket; one of the processes has it open. */
export async function findPeerOnLinux(connection: Connection, likely: readonly number[] = []): Promise<Peer> {
  const inode = await findInode(connection);
  if (inode === 'unknown') return { kind: 'unknown' };
  // A socket whose process closed it or exited.
  if (inode === undefined || inode === '0') return { kind: 'gone' };
  return findHolder(inode, likely);
}

async function findInode(connection: Connection): Promise<string | undefined | 'unknown'> {
  for (const { file, hex } of [
    { file: '/proc/net/tcp', hex: hexV4 },
    // A program may use IPv4 through an IPv6 socket.
    { file: '/proc/net/tcp6', hex: (address: string) => `0000000000000000${swapped('0000FFFF')}${hexV4(address)}` },
  ]) {
    // Asynchronously: the kernel walks its whole table for it.
    const text = await readFile(file, 'latin1').catch(() => undefined);
    if (text === undefined && file === '/proc/net/tcp') return 'unknown';
    const inode = inodeIn(text ?? '', connection, hex);
    if (inode !== undefined) return inode;
  }
  return undefined;
}

/** Theirs is the row whose local end is our remote one. */
export function inodeIn(
  table: string,
  { localAddress, localPort, remoteAddress, remotePort }: Connection,
  hex: (address: string) => string = hexV4,
): string | undefined {
  const sought = `${hex(remoteAddress)}:${hexPort(remotePort)} ${hex(localAddress)}:${hexPort(localPort)} `;
  const at = table.indexOf(`: ${sought}`);
  if (at < 0) return undefined;
  return table
    .slice(at + 2, table.indexOf('\n', at))
    .trim()
    .split(/\s+/)[8];
}

/** The likely ones first, then the newest: a program that just started asking is found soon. */
async function findHolder(inode: string, likely: readonly number[]): Promise<Peer> {
  const sought = `socket:[${inode}]`;
  for (const pid of likely) {
    const stat = holds(pid, sought) ? parseStat(readProc(pid, 'stat')) : undefined;
    if (stat) return { kind: 'process', pid, start: stat.start };
  }
  const names = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const pids = names.map(Number).sort((a, b) => b - a);
  for (const [index, pid] of pids.entries()) {
    if (index % AT_ONCE === AT_ONCE - 1) await nextTurn();
    if (!holds(pid, sought)) continue;
    const stat = parseStat(readProc(pid, 'stat'));
    if (stat) return { kind: 'process', pid, start: stat.start };
  }
  return { kind: 'hidden' };
}

function holds(pid: number, sought: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return listOpen(folder).some((fd) => linkOf(`${folder}/${fd}`) === sought);
}

function listOpen(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isExpected(error)) return [];
    throw error;
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

/** It exited meanwhile, or we may not inspect it. */
function isExpected(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM', 'EINVAL'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/** The kernel's address format: the four bytes as one native integer. */
function hexV4(address: string): string {
  const bytes = address
    .replace(/^::ffff:/i, '')
    .split('.')
    .map(Number);
  return swapped(bytes.map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''));
}

function swapped(hex: string): string {
  return endianness() === 'BE' ? hex : (hex.match(/../g) ?? []).toReversed().join('');
}

const hexPort = (port: number): string => port.toString(16).toUpperCase().padStart(4, '0');

/** Whether this process hides which files it has open; its owner's other programs usually don't. */
export function isShutOff(pid: number): boolean {
  try {
    readdirSync(`/proc/${pid}/fd`);
    return false;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ESRCH') return false;
    if (code === 'EACCES' || code === 'EPERM') return true;
    throw error;
  }
}
