import type { JournalEvent } from '../../../journal/journal.ts';
import type { Responder } from '../intake/intake.ts';

/** A client rereads its settings a second after they change. One that hasn't by then won't. */
const HOT_MS = 2500;
/** It waits at least this long for further changes. An earlier report is about an earlier change. */
const SETTLES_MS = 700;
/** The client announces the change right before acting on it. */
const ACTS_MS = 30;
/** Stops come in groups, and every client reads each settings change. */
const DISARM_MS = 2000;

export interface TurnEndOptions {
  /** Registers or removes the hook that ends a turn after a failed tool. Returns the registered events. */
  setStopping: (isStopping: boolean) => string[];
  onError: (error: unknown) => void;
}

/**
 * Ends the turn of a session whose tool failed or was killed. The client ignores our answer to PostToolUseFailure and asks the model next,
 * unless a PostToolBatch hook ends the turn. That hook would cost every batch of every session 7 ms, so it is registered only while a
 * session is being stopped. A client that waits for our answer to PostToolUseFailure is held until it has read the change.
 */
export class TurnEnd {
  readonly #options: TurnEndOptions;
  readonly #stopping = new Set<string>();
  /** Sessions whose clients have read the changed settings. */
  readonly #aware = new Set<string>();
  readonly #waiting = new Map<string, Set<() => void>>();
  /** Whether the hook is registered. undefined: no stop in progress. */
  #isArmed: boolean | undefined;
  #armedAt = 0;
  #disarming: NodeJS.Timeout | undefined;

  constructor(options: TurnEndOptions) {
    this.#options = options;
  }

  /** A session with a turn in progress is being stopped. */
  begin(sessionId: string): void {
    clearTimeout(this.#disarming);
    this.#stopping.add(sessionId);
    this.#isArmed ??= this.#arm();
  }

  end(sessionId: string): void {
    if (!this.#stopping.delete(sessionId) || this.#stopping.size > 0) return;
    clearTimeout(this.#disarming);
    this.#disarming = setTimeout(() => this.#disarm(), DISARM_MS);
  }

  /** The next stop registers the hooks again. */
  close(): void {
    clearTimeout(this.#disarming);
    for (const waiting of this.#waiting.values()) for (const go of waiting) go();
  }

  readonly observe = ({ sessionId, source, name }: JournalEvent): void => {
    if (source !== 'hook' || !this.#isArmed) return;
    const hasRead = name === 'ConfigChange' && performance.now() - this.#armedAt > SETTLES_MS;
    if (!hasRead && name !== 'PostToolBatch') return;
    this.#aware.add(sessionId);
    for (const go of this.#waiting.get(sessionId) ?? []) setTimeout(go, ACTS_MS);
  };

  /** Holds the failed tool of a session that is being stopped. */
  readonly respond: Responder = async ({ payload: { hook_event_name: event, session_id: sessionId } }) => {
    if (event === 'PostToolUseFailure' && this.#stopping.has(sessionId)) await this.reached(sessionId);
    return undefined;
  };

  /** Resolves once this session's client calls the hook that ends its turn, or clearly never will. */
  async reached(sessionId: string): Promise<void> {
    this.begin(sessionId);
    if (!this.#isArmed || this.#aware.has(sessionId)) return;
    const left = this.#armedAt + HOT_MS - performance.now();
    if (left <= 0) return;
    const waiting = this.#waiting.get(sessionId) ?? new Set();
    this.#waiting.set(sessionId, waiting);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => go(), left);
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        if (waiting.size === 0) this.#waiting.delete(sessionId);
        resolve();
      };
      waiting.add(go);
    });
  }

  #arm(): boolean {
    try {
      const events = this.#options.setStopping(true);
      this.#armedAt = performance.now();
      return events.includes('PostToolBatch');
    } catch (error) {
      // The settings can't be written, so the turn ends at its next tool call.
      this.#options.onError(error);
      return false;
    }
  }

  #disarm(): void {
    this.#isArmed = undefined;
    this.#aware.clear();
    try {
      this.#options.setStopping(false);
    } catch (error) {
      this.#options.onError(error);
    }
  }
}
