import { readFileSync } from 'node:fs';

/** Pids and their starts mean nothing after the machine was started again. Elsewhere than on Linux starts are dates. */
export function bootId(): string {
  return process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '';
}
