import type { OrchestratedSession } from '../../contract/orchestration.ts';

/** Decides when a session starts. */
export interface StartQueue {
  /** Returns why the session has to wait, as a sentence; the queue launches it later. Undefined: start it now. */
  offer(session: OrchestratedSession): string | undefined;
  /** The session has ended or left the queue. */
  release(sessionId: string): void;
  /** The model or the account is refusing requests for now. */
  refused(refusal: { why: string; until: number | null; limit: string | null }): void;
}
