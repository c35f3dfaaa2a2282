import type { SessionProcessList } from '../../contract/control.ts';
import type { DriverKind } from '../../contract/drivers.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { Stop, StopReceipt } from '../../contract/sessions.ts';
import type { DriverView } from '../sessions/live-session.ts';
import type { Session } from '../sessions/session.ts';

/** What an agent is told, and whether that ends its turn. */
export interface Refusal {
  message: string;
  endsTurn: boolean;
}

export interface StopOptions {
  sessionId: string;
  message: string;
  kill: boolean;
  /** How long to wait for the agent's next event. */
  waitMs: number;
  ifUnreached: Stop['ifUnreached'];
  /** Already known to be unreachable. */
  isUnreached?: boolean;
  /** Which detached processes to end with it. */
  endDetached: string[];
  /** Denies everything the session is waiting for, and returns how much that was. */
  cancelHeld: (message: string) => Promise<number>;
  /** The agent couldn't be reached in time, and the operator should know. */
  onUnreached: (unreached: NonNullable<Stop['unreached']>) => void;
  now: () => number;
  /** How long to wait for a session with neither a process nor events. */
  unheardMs?: number;
}

/** One stop of one session, step by step until it is true. */
export interface StopLadder {
  run(): Promise<StopReceipt>;
  /** One of its actors asks for something while it is stopping. */
  refuse(agentId?: string): Refusal;
  /** End its process from now on. False: this run is already over. */
  escalate(options: { endDetached: string[] }): boolean;
  /** End its process if it can't be reached in time. */
  endIfUnreached(): void;
  /** The session sent something: check now. */
  wake(): void;
  /** We are shutting down; the next daemon continues. */
  abort(): void;
}

/**
 * How a session is reached. `control/` asks the driver and never which kind it is. Answers to approvals need no method: the asker waits on
 * the approval and reads the decision from there.
 */
export interface Driver {
  readonly kind: DriverKind;
  /** Data: what can be done to this session. */
  describe(session: Session): DriverView;
  stop(options: StopOptions): StopLadder;
  /** A session's processes, by what a stop would do to them. */
  processes(sessionId: string): Promise<SessionProcessList>;
  /** Whether something is there to take a prompt now. */
  isListening(sessionId: string): boolean;
  /** False: nothing took it. */
  deliver(prompt: Prompt): Promise<boolean>;
  /** Delivers nothing more to this session, or to any session without an id. */
  stopListening(sessionId?: string): void;
}
