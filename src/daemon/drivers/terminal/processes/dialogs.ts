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

  /** Clients that are no longer alive. */
  forgetAllBut(pids: ReadonlySet<number>): void {
    for (const pid of this.#byPid.keys()) if (!pids.has(pid)) this.#byPid.delete(pid);
  }

  openAt(pid: number): number | undefined {
    return this.#byPid.get(pid)?.at(-1)?.openAt;
  }

  /** The dialog of a call that started at `since`, and that was open `at` this time. undefined: it was never seen. */
  find(pid: number, { since, at }: Asked): { isOpen: boolean; closedAt: number | undefined } | undefined {
    const all = this.#byPid.get(pid);
    const found = all?.findLast(({ openAt }) => openAt >= since && openAt <= at);
    // The client shows one dialog at a time, so another one means that this one is gone.
    return found && { isOpen: found.closedAt === undefined && found === all?.at(-1), closedAt: found.closedAt };
  }
}

export interface Asked {
  since: number;
  at: number;
}

/** Parallel calls are asked about one after the other, and the next dialog is there before the last is accounted for. */
const REMEMBERED = 8;
