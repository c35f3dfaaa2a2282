import { z } from 'zod';
import type { Ancestor } from './ancestors.ts';
import type { Descendant } from './descendants.ts';

/** A period in which one of a session's tools ran. */
interface Stretch {
  sessionId: string;
  from: number;
  to: number;
}

/** How many are kept: days on a busy machine. */
const MAX_STRETCHES = 5000;
/** The kernel counts in hundredths of a second, and a hook takes a moment to arrive. */
const MARGIN_MS = 60;

/** What is kept across restarts, until the machine reboots. */
export const SavedProcesses = z.object({
  boot: z.string(),
  processes: z.array(z.tuple([z.number(), z.string(), z.string()])),
  toolSessions: z.array(z.tuple([z.number(), z.string().nullable(), z.string()])),
  stretches: z.array(z.tuple([z.string(), z.number(), z.number()])),
});
export type SavedProcesses = z.infer<typeof SavedProcesses>;

/**
 * Processes we saw a session start. One whose parents died has no traceable ancestry, and one that cleans its environment has no mark, so
 * what was seen while its tool ran is all that tells whose it is.
 */
export class SeenProcesses {
  /** By pid and start. */
  readonly #processes = new Map<string, string>();
  /** Kernel sessions of tools, with their leader's start: a detached process without its own session stays in it. */
  readonly #toolSessions = new Map<number, { leader: string | null; sessionId: string }>();
  #stretches: Stretch[] = [];
  #isChanged = false;

  /** `kernelSession`: the client's own, which it shares with the user's shell. */
  note(sessionId: string, descendants: Descendant[], { kernelSession }: { kernelSession: number }): void {
    const starts = new Map(descendants.map(({ pid, start }) => [pid, start]));
    for (const { pid, start, kernelSession: own } of descendants) {
      const key = keyOf({ pid, start });
      if (!this.#processes.has(key)) this.#isChanged = true;
      this.#processes.set(key, sessionId);
      if (own === kernelSession || own === 0 || this.#toolSessions.has(own)) continue;
      this.#toolSessions.set(own, { leader: starts.get(own) ?? null, sessionId });
    }
  }

  /** A tool ran that can start processes. */
  noteStretch(stretch: Stretch): void {
    this.#stretches.push(stretch);
    if (this.#stretches.length > MAX_STRETCHES) this.#stretches = this.#stretches.slice(-MAX_STRETCHES / 2);
    this.#isChanged = true;
  }

  /** The session that started this process, if we saw it. `startOf`: for a live process. */
  ownerOf({ pid, start, kernelSession }: Ancestor, startOf: (pid: number) => string | undefined): string | undefined {
    const seen = this.#processes.get(keyOf({ pid, start }));
    if (seen !== undefined) return seen;
    const tool = kernelSession === 0 ? undefined : this.#toolSessions.get(kernelSession);
    if (!tool) return undefined;
    // The id isn't reused while the session has members; a leader with a different start leads another one.
    const leader = startOf(kernelSession);
    return leader === undefined || leader === tool.leader ? tool.sessionId : undefined;
  }

  /** Whose tool ran at that time. */
  ranAt(time: number): string | undefined {
    return this.#stretches.find(({ from, to }) => from - MARGIN_MS <= time && time <= to + MARGIN_MS)?.sessionId;
  }

  /** Forgets processes that have exited. */
  prune(startOf: (pid: number) => string | undefined): void {
    for (const key of this.#processes.keys()) {
      const { pid, start } = fromKey(key);
      if (startOf(pid) !== start) this.#processes.delete(key);
    }
  }

  /** undefined: nothing changed since the last save. */
  save(boot: string): SavedProcesses | undefined {
    if (!this.#isChanged) return undefined;
    this.#isChanged = false;
    return {
      boot,
      processes: [...this.#processes].map(([key, sessionId]) => {
        const { pid, start } = fromKey(key);
        return [pid, start, sessionId];
      }),
      toolSessions: [...this.#toolSessions].map(([id, { leader, sessionId }]) => [id, leader, sessionId]),
      stretches: this.#stretches.slice(-1000).map(({ sessionId, from, to }) => [sessionId, from, to]),
    };
  }

  load({ processes, toolSessions, stretches }: SavedProcesses): void {
    for (const [pid, start, sessionId] of processes) this.#processes.set(keyOf({ pid, start }), sessionId);
    for (const [id, leader, sessionId] of toolSessions) this.#toolSessions.set(id, { leader, sessionId });
    this.#stretches = stretches.map(([sessionId, from, to]) => ({ sessionId, from, to }));
  }
}

const keyOf = ({ pid, start }: { pid: number; start: string }): string => `${pid} ${start}`;

function fromKey(key: string): { pid: number; start: string } {
  const at = key.indexOf(' ');
  return { pid: Number(key.slice(0, at)), start: key.slice(at + 1) };
}
