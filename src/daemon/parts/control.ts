import { cancelHeld } from '../approvals/cancel-held.ts';
import { Prompts } from '../control/prompts.ts';
import { Stops } from '../control/stops.ts';
import { reachThrough } from '../drivers/session-drivers.ts';
import { controlRoutes } from '../http/control.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { RunnersPart } from './runners.ts';
import type { TerminalPart } from './terminal.ts';

const EXPIRE_MS = 250;

type Needs = Pick<CorePart, 'core'> &
  Pick<ApprovalsPart, 'approvals'> &
  Pick<TerminalPart, 'terminal'> &
  Pick<RunnersPart, 'runners' | 'runnerDriver'>;

export type ControlPart = ReturnType<typeof controlPart>;

/** Stops and prompts, whatever agent they are for. */
export function controlPart(
  { dataDir, now, onError }: Base,
  { core, approvals, terminal, runners, runnerDriver }: Needs,
) {
  const stopWaitSeconds = dataDir.setting('stopWaitSeconds');
  const driverOf = (sessionId: string) => (runners.of(sessionId) ? runnerDriver : terminal);
  const driver = reachThrough(driverOf, [terminal, runnerDriver]);
  const prompts = new Prompts({ core, driver, now, onError });
  const stops = new Stops({
    core,
    driver,
    now,
    onError,
    cancelHeld: (sessionId, refusal) => cancelHeld(approvals, sessionId, refusal),
    waitSeconds: () => stopWaitSeconds.get(),
  });
  let clock: NodeJS.Timeout | undefined;
  return {
    prompts,
    stops,
    routes: [controlRoutes({ stops, stopWaitSeconds })],
    start() {
      stops.resume();
      clock = setInterval(() => prompts.expireDue(), EXPIRE_MS);
    },
    async stop() {
      clearInterval(clock);
      await stops.close();
    },
  };
}
