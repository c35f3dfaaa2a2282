import { spawn } from 'node:child_process';
import type { Server } from 'node:net';

/** Where the keeper's command finds the listening socket. */
export const KEEPER_SOCKET = 3;

export interface Keeper {
  /** No longer needed. */
  stop(): void;
  /** Runs the command now. */
  takeOver(): void;
}

/**
 * Runs `command` when this process is gone, however it went: a shell waits for the end of a pipe that only we hold, so even kill -9 closes
 * it. It also inherits our listening socket, so new connections wait for the command instead of being refused.
 */
export function startKeeper(command: readonly [string, ...string[]], server: Server): Keeper {
  const shell = spawn('/bin/sh', ['-c', 'read -r _; exec "$@"', 'groundcontrol-keeper', ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore', descriptorOf(server)],
  });
  shell.unref();
  // A shell that already exited leaves a broken pipe, which must not take the daemon down.
  shell.stdin?.on('error', () => undefined);
  return { stop: () => void shell.kill('SIGKILL'), takeOver: () => shell.stdin?.destroy() };
}

/** Node has no public name for it; its own cluster module passes sockets on this way. */
function descriptorOf(server: Server): number {
  return (server as unknown as { _handle: { fd: number } })._handle.fd;
}
