import { statSync } from 'node:fs';

/** Whether a file was written, replaced or removed since the last check. By polling, since a link may lead anywhere. */
export class FileChanges {
  readonly #seen = new Map<string, string>();

  hasChanged(path: string): boolean {
    const now = signature(path);
    const before = this.#seen.get(path);
    this.#seen.set(path, now);
    return before !== now;
  }

  /** Counts as changed at the next check. */
  forget(path: string): void {
    this.#seen.delete(path);
  }
}

function signature(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    // Missing, or a dangling link: a state like any other.
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
}
