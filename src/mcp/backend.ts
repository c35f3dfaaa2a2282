import type { BlueprintSummary } from '../contract/blueprints.ts';
import type { OrchestratedSession, SessionResult, StartRequest } from '../contract/orchestration.ts';

/** What the tools do their work with: the daemon's API for `gctl mcp`, the daemon itself for its own address. */
export interface McpBackend {
  blueprints(project: string | undefined): Promise<BlueprintSummary[]>;
  sessions(project: string | undefined): Promise<OrchestratedSession[]>;
  start(request: StartRequest): Promise<OrchestratedSession>;
  resume(ref: SessionRef, prompt: string): Promise<OrchestratedSession>;
  session(ref: SessionRef): Promise<OrchestratedSession>;
  result(ref: SessionRef): Promise<SessionResult>;
  /** Until one of them has finished, or all have, or the time is up. */
  wait(refs: readonly SessionRef[], options: { any: boolean; timeoutSeconds: number }): Promise<OrchestratedSession[]>;
  stop(ref: SessionRef): Promise<OrchestratedSession>;
  remove(ref: SessionRef): Promise<void>;
}

/** A session by its name in a project, or by its id. */
export interface SessionRef {
  id: string;
  project: string | undefined;
}
