import type { Socket } from 'node:net';
import { findPeerOnLinux } from './find-peer-linux.ts';
import { findPeerWithLsof } from './find-peer-lsof.ts';

/** The four numbers of a connection, as the one who accepted it sees them. */
export interface Connection {
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
}

/**
 * Who has the other end of a connection. `gone`: nobody has it any more, so nobody can say who had it. `hidden`: somebody whom we may not
 * look into, another user's program or one that shuts itself off. `unknown`: this system does not tell.
 */
export type Peer = { kind: 'process'; pid: number; start: string } | { kind: 'gone' | 'hidden' | 'unknown' };

/** `likely`: processes to look into first. */
export async function findPeer(socket: Socket, likely: readonly number[] = []): Promise<Peer> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return { kind: 'gone' };
  const connection = { localAddress, localPort, remoteAddress, remotePort };
  return process.platform === 'linux' ? findPeerOnLinux(connection, likely) : findPeerWithLsof(connection);
}
