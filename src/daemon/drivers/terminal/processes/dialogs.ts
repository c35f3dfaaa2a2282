import type { PidFile } from '../../../processes/pid-files.ts';

interface Seen {
  /** When the client last said that a dialog is open… */
  openAt: number;
  /** …and when it then said that none is. Undefined: it is still open, as far as we know. */
  closedAt: number | undefined;
}

/**
 * When a client's dialogs were open, by its own word: its file says `waiting` while one is on the screen. Only a dialog that was
 * seen open can be told to be closed: before it appears, the file says what it said before.
 */
export class Dialogs {
  readonly #byPid = new Map<number, Seen>();

  note({ pid, status, statusUpdatedAt: at }: PidFile): void {
    if (at === undefined) return;
    const seen = this.#byPid.get(pid);
    if (status === 'waiting') this.#byPid.set(pid, { openAt: at, closedAt: undefined });
    else if (seen && seen.closedAt === undefined && at > seen.openAt) seen.closedAt = at;
  }

  /** Those who do not live any more. */
  forgetAllBut(pids: ReadonlySet<number>): void {
    for (const pid of this.#byPid.keys()) if (!pids.has(pid)) this.#byPid.delete(pid);
  }

  openAt(pid: number): number | undefined {
    return this.#byPid.get(pid)?.openAt;
  }

  /** When the dialog of a call that began at `since` was closed. Undefined: it was not, or it was never seen. */
  closedAt(pid: number, { since }: { since: number }): number | undefined {
    const seen = this.#byPid.get(pid);
    return seen && seen.openAt >= since ? seen.closedAt : undefined;
  }
}
