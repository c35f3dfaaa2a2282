import type { LiveModel } from '../../../sessions/live-model.ts';
import type { TerminalDriver } from '../terminal-driver.ts';
import type { Waiter } from './waiters.ts';

interface Deps {
  live: LiveModel;
  terminal: TerminalDriver;
  prompts: { onListening(sessionId: string): void };
}

/** A session offers to be woken. */
export function takeWaiter(
  { sessionId, isStarting }: { sessionId: string; isStarting: boolean },
  waiter: Waiter,
  { live, terminal, prompts }: Deps,
): void {
  const session = live.get(sessionId);
  // A resumed session may say so after its first waiter has connected.
  if (session && session.endedAt !== null && !isStarting) {
    waiter.release();
    return;
  }
  terminal.hold(sessionId, waiter);
  prompts.onListening(sessionId);
}
