import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import type { Socket } from 'node:net';

const known = new WeakMap<Socket, number>();

/**
 * Which of these processes holds the other end of a loopback connection. Only needed if two clients share a session, since their hooks
 * don't say which one calls. undefined: unknown (not Linux, another user's process).
 */
export function socketOwner(socket: Socket, pids: readonly number[]): number | undefined {
  const owner = known.get(socket);
  if (owner !== undefined && pids.includes(owner)) return owner;
  if (process.platform !== 'linux') return undefined;
  const inode = inodeOf(socket);
  const found = inode === undefined ? undefined : pids.find((pid) => holds(pid, `socket:[${inode}]`));
  if (found !== undefined) known.set(socket, found);
  return found;
}

function inodeOf({ remotePort, localPort }: Socket): string | undefined {
  if (remotePort === undefined || localPort === undefined) return undefined;
  const address = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const [theirs, ours] = [address(remotePort), address(localPort)];
  for (const line of attempt(() => readFileSync('/proc/net/tcp', 'utf8').split('\n')) ?? []) {
    const fields = line.trim().split(/\s+/);
    if (fields[1] === theirs && fields[2] === ours) return fields[9];
  }
  return undefined;
}

function holds(pid: number, link: string): boolean {
  const folder = `/proc/${pid}/fd`;
  return (attempt(() => readdirSync(folder)) ?? []).some(
    (name) => attempt(() => readlinkSync(`${folder}/${name}`)) === link,
  );
}

/** A process may exit or close a file while we look. */
function attempt<T>(check: () => T): T | undefined {
  try {
    return check();
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
