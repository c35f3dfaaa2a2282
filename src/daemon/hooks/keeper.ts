import { spawn } from 'node:child_process';

/**
 * Runs `command` when this process is gone, however it went: a shell that waits for the end of a pipe whose other end
 * only we hold, so that even kill -9 closes it. It keeps hooks from outliving the daemon that they call.
 */
export function startKeeper(command: readonly [string, ...string[]]): { stop(): void } {
  const shell = spawn('/bin/sh', ['-c', 'read -r _; exec "$@"', 'groundcontrol-keeper', ...command], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  shell.unref();
  // a shell that is gone already leaves a broken pipe, which must not take the daemon with it
  shell.stdin.on('error', () => undefined);
  return { stop: () => shell.kill('SIGKILL') };
}
