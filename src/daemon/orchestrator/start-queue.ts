import type { OrchestratedSession } from '../../contract/orchestration.ts';

/** Decides when a session starts. */
export interface StartQueue {
  /** Returns why the session has to wait, in a sentence; the queue then launches it later. Undefined: start it now. */
  offer(session: OrchestratedSession): string | undefined;
  /** The session no longer runs, or no longer waits. */
  release(sessionId: string): void;
  /** The model or the account refused for now. */
  refused(refusal: { why: string; until: number | null; limit: string | null }): void;
}
