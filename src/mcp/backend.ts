import type { BlueprintSummary } from '../contract/blueprints.ts';
import type { OrchestratedSession, SessionResult, StartRequest } from '../contract/orchestration.ts';

/** What the tools need from the daemon: through its API for `gctl mcp`, or directly at the daemon's own MCP address. */
export interface McpBackend {
  blueprints(project: string | undefined): Promise<BlueprintSummary[]>;
  sessions(project: string | undefined): Promise<OrchestratedSession[]>;
  start(request: StartRequest): Promise<OrchestratedSession>;
  resume(ref: SessionRef, prompt: string): Promise<OrchestratedSession>;
  session(ref: SessionRef): Promise<OrchestratedSession>;
  result(ref: SessionRef): Promise<SessionResult>;
  /** Waits until one of them, or all, have finished, or the time is up. */
  wait(refs: readonly SessionRef[], options: { any: boolean; timeoutSeconds: number }): Promise<OrchestratedSession[]>;
  stop(ref: SessionRef): Promise<OrchestratedSession>;
  remove(ref: SessionRef): Promise<void>;
}

/** A session by its name in a project, or by its id. */
export interface SessionRef {
  id: string;
  project: string | undefined;
}
