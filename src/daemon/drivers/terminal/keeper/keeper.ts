import { spawn } from 'node:child_process';
import type { Server } from 'node:net';

/** Where the listening socket is found by the command that the keeper runs. */
export const KEEPER_SOCKET = 3;

export interface Keeper {
  /** It is not needed any more. */
  stop(): void;
  /** Runs the command now. */
  takeOver(): void;
}

/**
 * Runs `command` when this process is gone, however it went: a shell that waits for the end of a pipe whose other end
 * only we hold, so that even kill -9 closes it. It also has our listening socket, so that who connects meanwhile waits
 * for the command instead of being refused.
 */
export function startKeeper(command: readonly [string, ...string[]], server: Server): Keeper {
  const shell = spawn('/bin/sh', ['-c', 'read -r _; exec "$@"', 'groundcontrol-keeper', ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', descriptorOf(server)],
  });
  shell.unref();
  // a shell that is gone already leaves a broken pipe, which must not take the daemon with it
  shell.stdin?.on('error', () => undefined);
  return { stop: () => void shell.kill('SIGKILL'), takeOver: () => shell.stdin?.destroy() };
}

/** Node has no public name for it, and its own cluster module passes sockets on by it. */
function descriptorOf(server: Server): number {
  return (server as unknown as { _handle: { fd: number } })._handle.fd;
}
