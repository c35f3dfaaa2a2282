import type {
  MessageDelta,
  RunnerAsk,
  RunnerNews,
  RunnerProcess,
  RunnerSpec,
  RunnerVerdict,
} from '../contract/runners.ts';
import type { ShellCommand, ShellsChanged } from '../contract/shells.ts';
import type { BudgetGate } from './budget.ts';

export interface PromptGiven {
  id: string;
  text: string;
}

export interface RewindOutcome {
  filesChanged: string[];
  insertions: number | null;
  deletions: number | null;
  error: string | null;
}

/** What an agent in a runner can use to reach the daemon and the operator. */
export interface DriverHost {
  spec: RunnerSpec;
  budget: BudgetGate;
  /** On disk when this returns. Reaches the daemon, in order, as soon as one is connected. */
  report(news: RunnerNews): void;
  /** For live viewers only. Lost if there are none. */
  delta(delta: Omit<MessageDelta, 'sessionId'>): void;
  /** The shells changed. For live viewers only. */
  shellsChanged(change: Omit<ShellsChanged, 'sessionId'>): void;
  /** Waits for the answer, even while the daemon is away. Aborting the signal withdraws the question. */
  ask(ask: Omit<RunnerAsk, 'correlationId'> & { correlationId?: string }, signal: AbortSignal): Promise<RunnerVerdict>;
  /** Rules only, for a call that may not need the operator. While the daemon is away there is no verdict, unless the project is strict. */
  precheck(ask: Omit<RunnerAsk, 'correlationId' | 'stage'>, signal: AbortSignal): Promise<RunnerVerdict>;
  /** Registers a process that must not outlive us: it is ended for us if we are killed. */
  noteProcess(process: RunnerProcess): void;
  /** The last prompt is answered and nothing runs in the background. */
  onIdle(): void;
  onBusy(): void;
}

/** An agent hosted by a runner. */
export interface HostedAgent {
  /** Resolves when the prompt has been accepted. Its outcome is reported as events. */
  prompt(prompt: PromptGiven): Promise<void>;
  /** Ends the turn but keeps the session. */
  interrupt(): Promise<void>;
  settings(change: { model?: string | undefined; permissionMode?: RunnerSpec['permissionMode'] }): Promise<void>;
  rewindFiles(messageId: string, options: { dryRun: boolean }): Promise<RewindOutcome>;
  background(toolUseId: string): Promise<boolean>;
  /** The commands it runs. Absent: it doesn't expose any. */
  shells?: { take(command: ShellCommand): Promise<unknown> };
  /** Ends the session and everything it started. */
  close(): Promise<unknown>;
  /** Settles when the agent has ended or was closed. Rejects with the reason it could not continue. */
  ended: Promise<void>;
}

export type StartAgent = (host: DriverHost) => Promise<HostedAgent>;
