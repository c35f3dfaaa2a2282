import { copyFileSync, statSync, truncateSync } from 'node:fs';

const MAX_BYTES = 5 * 1024 * 1024;
const POLL_MS = 60_000;

/** Our output goes to a file that nothing else rotates. Past its maximum size, the last part is kept next to it. */
export function rotateLog(path: string): void {
  const timer = setInterval(() => {
    const { size } = statSync(path, { throwIfNoEntry: false }) ?? { size: 0 };
    if (size < MAX_BYTES) return;
    copyFileSync(path, `${path}.1`);
    // opened for appending, so the next write goes to its new end
    truncateSync(path, 0);
  }, POLL_MS);
  timer.unref();
}
