import { closeSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';

/** SQLite starts over at the beginning of its log once it holds 1,000 pages; each has a header. */
const LOG_BYTES = 1000 * (4096 + 24) + 64 * 1024;

/**
 * Gives SQLite's write-ahead log the length it will have, so that a commit doesn't make the file longer: a sync then writes data only, and
 * takes half the time. SQLite reads its log up to the first frame that isn't valid, which zeros aren't. The one thread that writes to
 * the journal must call this.
 */
export function reserveLog(journalPath: string): void {
  const file = openSync(`${journalPath}-wal`, 'r+');
  const { size } = fstatSync(file);
  try {
    if (size < LOG_BYTES) writeSync(file, Buffer.alloc(LOG_BYTES - size), 0, LOG_BYTES - size, size);
  } catch (error) {
    // the disk may be nearly full: what others could use is given back
    ftruncateSync(file, size);
    throw error;
  } finally {
    closeSync(file);
  }
}
