import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { AgentError } from '../../agent/errors.ts';
import { isRunning } from '../../system/is-running.ts';

/**
 * Two processes appending to one conversation would corrupt it. The lock names its owner, and a lock whose owner is gone doesn't count,
 * because a killed process can't clean up.
 */
export function lockSession(path: string, sessionId: string): { release(): void } {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  for (let tries = 0; ; tries += 1) {
    try {
      writeFileSync(path, JSON.stringify({ pid: process.pid, start: startOf(process.pid) }), {
        flag: 'wx',
        mode: 0o600,
      });
      return { release: () => rmSync(path, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = ownerOf(path);
    if (owner !== undefined && (isHeld(owner) || tries > 2))
      throw new AgentError(
        'session.in_use',
        `Session ${sessionId} is open in another process (pid ${owner.pid}). Close it there, or fork the session.`,
      );
    rmSync(path, { force: true });
  }
}

interface Owner {
  pid: number;
  start: string;
}

function ownerOf(path: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Owner;
  } catch (error) {
    // released in the meantime, or its owner was killed while writing it
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function isHeld({ pid, start }: Owner): boolean {
  return isRunning(pid) && start === startOf(pid);
}

/** Pids are reused; pid and start time together identify a process. Empty on systems that don't report it. */
function startOf(pid: number): string {
  if (process.platform !== 'linux') return '';
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [state, ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // a killed process stays in the table until its parent reaps it
    return state === 'Z' ? 'ended' : (fields[18] ?? '');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
