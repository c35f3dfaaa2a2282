import type { Socket } from 'node:net';
import { isOwnAddress } from '../remote/own-addresses.ts';
import { findPeerOnLinux } from './find-peer-linux.ts';
import { findPeerWithLsof } from './find-peer-lsof.ts';

/** The two ends of a connection, from the acceptor's side. */
export interface Connection {
  localAddress: string;
  localPort: number;
  remoteAddress: string;
  remotePort: number;
}

/**
 * Who has the other end of a connection. `gone`: nobody anymore, so it can't be determined. `hidden`: someone we may not inspect, such as
 * another user's program or one that hides itself. `remote`: a program on another machine. `unknown`: this system can't tell.
 */
export type Peer = { kind: 'process'; pid: number; start: string } | { kind: 'gone' | 'hidden' | 'remote' | 'unknown' };

/** `likely`: processes to look into first. */
export async function findPeer(socket: Socket, likely: readonly number[] = []): Promise<Peer> {
  const { localAddress, localPort, remoteAddress, remotePort } = socket;
  if (!localAddress || !localPort || !remoteAddress || !remotePort) return { kind: 'gone' };
  if (!isOwnAddress(remoteAddress)) return { kind: 'remote' };
  const connection = { localAddress, localPort, remoteAddress, remotePort };
  return process.platform === 'linux' ? findPeerOnLinux(connection, likely) : findPeerWithLsof(connection);
}
