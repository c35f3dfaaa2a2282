import { statSync } from 'node:fs';

/** Whether a file has been written, replaced or removed since it was last asked for. By looking: a link may lead anywhere. */
export class FileChanges {
  readonly #seen = new Map<string, string>();

  hasChanged(path: string): boolean {
    const now = signature(path);
    const before = this.#seen.get(path);
    this.#seen.set(path, now);
    return before !== now;
  }

  /** It counts as changed when it is next asked for. */
  forget(path: string): void {
    this.#seen.delete(path);
  }
}

function signature(path: string): string {
  try {
    const { ino, size, mtimeMs } = statSync(path);
    return `${ino} ${size} ${mtimeMs}`;
  } catch (error) {
    // gone, or a link to nowhere: a state like any other
    return (error as NodeJS.ErrnoException).code ?? 'unreadable';
  }
}
