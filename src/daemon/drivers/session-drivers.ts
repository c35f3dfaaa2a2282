import type { Prompt } from '../../contract/prompts.ts';
import type { Session } from '../sessions/session.ts';
import type { Driver, StopOptions } from './driver.ts';
import { describeRunner } from './runner/runner-driver.ts';
import { describeTerminal } from './terminal/terminal-driver.ts';

/** How any session is reached: each through its own driver. */
export type Reach = Omit<Driver, 'kind' | 'describe'>;

export function reachThrough(driverOf: (sessionId: string) => Driver, all: readonly Driver[]): Reach {
  return {
    stop: (options: StopOptions) => driverOf(options.sessionId).stop(options),
    processes: (sessionId) => driverOf(sessionId).processes(sessionId),
    isListening: (sessionId) => driverOf(sessionId).isListening(sessionId),
    deliver: (prompt: Prompt) => driverOf(prompt.sessionId).deliver(prompt),
    stopListening: (sessionId) => {
      for (const driver of all) driver.stopListening(sessionId);
    },
  };
}

/** What can be done to a session, depending on how it is reached now. */
export const describeSession = (session: Session) =>
  isHosted(session) ? describeRunner(session) : describeTerminal(session);

/** By one of our processes; or the last one was, and no terminal has it since. */
const isHosted = ({ orchestration, process }: Session): boolean =>
  orchestration !== null && (orchestration.hasRunner || process === null);
