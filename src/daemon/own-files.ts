import { closeSync, constants, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Reads a file of ours. Throws for a link, which somebody else put there. */
export function readOwnFile(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}

/** Replaces a file in one step, so that a reader sees the old one or the new one. A link at either name is replaced, never followed. */
export function replaceFile(path: string, text: string): void {
  const next = `${path}.new`;
  rmSync(next, { force: true });
  const file = openSync(next, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW, 0o600);
  try {
    writeFileSync(file, text);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}
