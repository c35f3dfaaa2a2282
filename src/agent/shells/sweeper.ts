import { type ChildProcess, spawn } from 'node:child_process';
import type { Socket } from 'node:net';

/** In the environment of every process that any shell of this agent starts. */
export const AGENT_MARK = 'GROUNDCONTROL_AGENT';

/**
 * Waits on a pipe from us and kills everything with our mark when it closes. We can't do that after a SIGKILL, and a parent-death signal
 * only reaches a shell's first process.
 */
const SCRIPT = `
mark="$1"
find_marked() {
  if [ -d /proc/self ]; then grep -lsza "^${AGENT_MARK}=$mark\\$" /proc/[0-9]*/environ | cut -d/ -f3
  else ps -axEww -o pid=,command= | grep -F "${AGENT_MARK}=$mark" | grep -v grep | awk '{print $1}'; fi
}
cat >/dev/null
tries=0
while [ $tries -lt 100 ]; do
  pids=$(find_marked)
  [ -z "$pids" ] && exit 0
  kill -9 $pids 2>/dev/null
  tries=$((tries + 1))
  sleep 0.05
done`;

/** One small `sh` per agent, in its own session so that signals meant for us don't reach it. */
export function startSweeper(mark: string): ChildProcess {
  const sweeper = spawn('/bin/sh', ['-c', SCRIPT, 'groundcontrol-sweeper', mark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin' },
  });
  sweeper.unref();
  (sweeper.stdin as Socket | null)?.unref?.();
  // it ends with us, so ignore a broken pipe
  sweeper.stdin?.on('error', () => undefined);
  return sweeper;
}
