import { readlinkSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { basename } from 'node:path';

/**
 * Lets other threads go first from here on, where there is a great deal to read: a hook that an agent waits for is answered before
 * anything is counted or indexed. Linux alone has priorities for single threads; elsewhere nothing changes.
 */
export function giveWay(): void {
  try {
    setPriority(Number(basename(readlinkSync('/proc/thread-self'))), constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ERR_SYSTEM_ERROR') throw error;
  }
}
