import type { SessionProcessList } from '../../contract/control.ts';
import type { DriverKind } from '../../contract/drivers.ts';
import type { Prompt } from '../../contract/prompts.ts';
import type { Stop, StopReceipt } from '../../contract/sessions.ts';
import type { DriverView } from '../sessions/live-session.ts';
import type { Session } from '../sessions/session.ts';

/** What an agent is told, and whether its turn ends with that. */
export interface Refusal {
  message: string;
  endsTurn: boolean;
}

export interface StopOptions {
  sessionId: string;
  message: string;
  kill: boolean;
  /** How long the agent's next sign of life is waited for. */
  waitMs: number;
  ifUnreached: Stop['ifUnreached'];
  /** It is known from before that nothing reaches it. */
  isUnreached?: boolean;
  /** Which of its detached processes are to end with it. */
  endDetached: string[];
  /** Refuses what the session waits with; how much that was. */
  cancelHeld: (message: string) => Promise<number>;
  /** Nothing reached the agent in time, and the operator is to know. */
  onUnreached: (unreached: NonNullable<Stop['unreached']>) => void;
  now: () => number;
  /** A session that has neither a process nor anything to say is not waited for longer. */
  unheardMs?: number;
}

/** One stop of one session, step by step until it is true. */
export interface StopLadder {
  run(): Promise<StopReceipt>;
  /** One of its actors asks for something while it stops. */
  refuse(agentId?: string): Refusal;
  /** From now on its process ends in any case. False: this run has come to its end already. */
  escalate(options: { endDetached: string[] }): boolean;
  /** From now on its process ends if nothing reaches it in time. */
  endIfUnreached(): void;
  /** Something was heard of the session: look at once. */
  wake(): void;
  /** We are about to leave; the next daemon continues. */
  abort(): void;
}

/**
 * How a session is reached. Control asks the driver and never which kind it is. Answers to approvals need no method: the asker waits on
 * the approval and reads the decision from there.
 */
export interface Driver {
  readonly kind: DriverKind;
  /** Data: what can be done to this session. */
  describe(session: Session): DriverView;
  stop(options: StopOptions): StopLadder;
  /** What runs for a session, by what a stop would do to it. */
  processes(sessionId: string): Promise<SessionProcessList>;
  /** Whether somebody is there to take a prompt now. */
  isListening(sessionId: string): boolean;
  /** False: nobody took it. */
  deliver(prompt: Prompt): Promise<boolean>;
  /** Nothing is delivered to this session any more; without an id, to none. */
  stopListening(sessionId?: string): void;
}
