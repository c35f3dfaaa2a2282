import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { RunnerProcess } from '../contract/runners.ts';

/** Pids are reused. Together with its start time and the boot id, a pid identifies one process. */
export function ownIdentity(): RunnerProcess & { bootId: string } {
  const bootId = process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
  return { ...identify(process.pid), bootId };
}

export function identify(pid: number): RunnerProcess {
  return { pid, start: (process.platform === 'linux' ? startByProc(pid) : startByPs(pid)) ?? '' };
}

function startByProc(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // the process name in parentheses may itself contain spaces and parentheses
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

function startByPs(pid: number): string {
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { env, encoding: 'utf8' }).trim();
}
