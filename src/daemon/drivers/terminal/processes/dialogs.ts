import type { PidFile } from '../../../processes/pid-files.ts';

interface Seen {
  /** When the client last reported an open dialog… */
  openAt: number;
  /** …and when it then reported none. undefined: still open, as far as we know. */
  closedAt: number | undefined;
}

/**
 * When a client's dialogs were open, according to its own file, which says `waiting` while one is on screen. Only a dialog that was seen
 * open can be seen to close: before it appears, the file still has its earlier status.
 */
export class Dialogs {
  readonly #byPid = new Map<number, Seen>();

  note({ pid, status, statusUpdatedAt: at }: PidFile): void {
    if (at === undefined) return;
    const seen = this.#byPid.get(pid);
    if (status === 'waiting') this.#byPid.set(pid, { openAt: at, closedAt: undefined });
    else if (seen && seen.closedAt === undefined && at > seen.openAt) seen.closedAt = at;
  }

  /** Clients that are no longer alive. */
  forgetAllBut(pids: ReadonlySet<number>): void {
    for (const pid of this.#byPid.keys()) if (!pids.has(pid)) this.#byPid.delete(pid);
  }

  openAt(pid: number): number | undefined {
    return this.#byPid.get(pid)?.openAt;
  }

  /** When the dialog of a call that started at `since` was closed. undefined: it wasn't, or was never seen. */
  closedAt(pid: number, { since }: { since: number }): number | undefined {
    const seen = this.#byPid.get(pid);
    return seen && seen.openAt >= since ? seen.closedAt : undefined;
  }
}
