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
  /** The last few of each client, oldest first. */
  readonly #byPid = new Map<number, Seen[]>();

  note({ pid, status, statusUpdatedAt: at }: PidFile): void {
    if (at === undefined) return;
    const all = this.#byPid.get(pid) ?? [];
    const last = all.at(-1);
    if (status !== 'waiting') {
      if (last && last.closedAt === undefined && at > last.openAt) last.closedAt = at;
    } else if (last?.openAt !== at) {
      this.#byPid.set(pid, [...all.slice(1 - REMEMBERED), { openAt: at, closedAt: undefined }]);
    }
  }

  /** Those who do not live any more. */
  forgetAllBut(pids: ReadonlySet<number>): void {
    for (const pid of this.#byPid.keys()) if (!pids.has(pid)) this.#byPid.delete(pid);
  }

  openAt(pid: number): number | undefined {
    return this.#byPid.get(pid)?.at(-1)?.openAt;
  }

  /** When the dialog of a call that began at `since` and was open `at` that time was closed. Undefined: it was not, or it was never seen. */
  closedAt(pid: number, { since, at }: Asked): number | undefined {
    return this.#byPid.get(pid)?.findLast(({ openAt }) => openAt >= since && openAt <= at)?.closedAt;
  }
}

export interface Asked {
  since: number;
  at: number;
}

/** Parallel calls are asked about one after the other, and the next dialog is there before the last is accounted for. */
const REMEMBERED = 8;
