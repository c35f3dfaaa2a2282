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

/** What an agent inside a runner can use: its way to the daemon and the operator. */
export interface DriverHost {
  spec: RunnerSpec;
  budget: BudgetGate;
  /** On the disk when this returns, at the daemon as soon as there is one, in this order. */
  report(news: RunnerNews): void;
  /** For those who watch, now. Lost if nobody does. */
  delta(delta: Omit<MessageDelta, 'sessionId'>): void;
  /** The shells changed, for those who watch. */
  shellsChanged(change: Omit<ShellsChanged, 'sessionId'>): void;
  /** Waits for the answer, also while the daemon is away. Aborting the signal takes the question back. */
  ask(ask: Omit<RunnerAsk, 'correlationId'> & { correlationId?: string }, signal: AbortSignal): Promise<RunnerVerdict>;
  /** Rules only, for a call that may need nobody. Where the daemon is away nobody has an opinion, unless the project is strict. */
  precheck(ask: Omit<RunnerAsk, 'correlationId' | 'stage'>, signal: AbortSignal): Promise<RunnerVerdict>;
  /** A process that must not outlive us: it is ended for us if we are killed. */
  noteProcess(process: RunnerProcess): void;
  /** Its last prompt has its answer and nothing runs in the background. */
  onIdle(): void;
  onBusy(): void;
}

/** One agent that a runner hosts. */
export interface HostedAgent {
  /** Resolves when it has been taken; what comes of it is reported. */
  prompt(prompt: PromptGiven): Promise<void>;
  /** Ends the turn; the session stays. */
  interrupt(): Promise<void>;
  settings(change: { model?: string | undefined; permissionMode?: RunnerSpec['permissionMode'] }): Promise<void>;
  rewindFiles(messageId: string, options: { dryRun: boolean }): Promise<RewindOutcome>;
  background(toolUseId: string): Promise<boolean>;
  /** Commands it runs. Absent: it shows none. */
  shells?: { take(command: ShellCommand): Promise<unknown> };
  /** Ends the session and everything that it started. */
  close(): Promise<unknown>;
  /** Settles when the agent has ended, by itself or because it was closed. An error says why it could not go on. */
  ended: Promise<void>;
}

export type StartAgent = (host: DriverHost) => Promise<HostedAgent>;
