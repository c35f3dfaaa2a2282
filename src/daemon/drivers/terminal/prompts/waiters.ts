import type { HookPayload } from '../../../../contract/hooks.ts';

/** A hook that waits in a session's background and can wake it, once. */
export interface Waiter {
  /** False: it was gone before it had the text. */
  wake(text: string): Promise<boolean>;
  /** Lets it exit silently. */
  release(): void;
  onHangUp(listener: () => void): void;
}

/** The session this hook waits for. */
export function toOffer({ session_id: sessionId, hook_event_name: event }: HookPayload) {
  return { sessionId, isStarting: event === 'SessionStart' };
}

/** The newest one per session: each turn starts another. */
export class Waiters {
  readonly #bySession = new Map<string, Waiter>();

  hold(sessionId: string, waiter: Waiter): void {
    this.release(sessionId);
    this.#bySession.set(sessionId, waiter);
    waiter.onHangUp(() => {
      if (this.#bySession.get(sessionId) === waiter) this.#bySession.delete(sessionId);
    });
  }

  has(sessionId: string): boolean {
    return this.#bySession.has(sessionId);
  }

  take(sessionId: string): Waiter | undefined {
    const waiter = this.#bySession.get(sessionId);
    this.#bySession.delete(sessionId);
    return waiter;
  }

  release(sessionId: string): void {
    this.take(sessionId)?.release();
  }

  releaseAll(): void {
    for (const sessionId of [...this.#bySession.keys()]) this.release(sessionId);
  }
}
