import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs one piece of work at a time across processes: two starts at once would write into each other's files. Tells the work whether the
 * last run was killed halfway.
 */
export function withLock(path, { onWait, work }) {
  mkdirSync(dirname(path), { recursive: true });
  let wasKilled = false;
  for (let waits = 0; !take(path); waits++) {
    if (isAlive(ownerOf(path))) {
      if (waits === 0) onWait();
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
      continue;
    }
    wasKilled = true;
    rmSync(path, { force: true });
  }
  const result = work({ wasKilled });
  rmSync(path);
  return result;
}

function take(path) {
  try {
    writeFileSync(path, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
}

function ownerOf(path) {
  try {
    return Number(readFileSync(path, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    return 0;
  }
}

function isAlive(pid) {
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
