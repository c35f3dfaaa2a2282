import { holdApprovals } from '../drivers/terminal/permission/hold-approvals.ts';
import { ProcessWatch } from '../drivers/terminal/processes/process-watch.ts';
import { TurnEnd } from '../drivers/terminal/stop/turn-end.ts';
import { TerminalDriver } from '../drivers/terminal/terminal-driver.ts';
import { hookRoutes } from '../http/hooks.ts';
import { SpareClients } from '../processes/spare-clients.ts';
import type { ApprovalsPart } from './approvals.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { HooksPart } from './hooks.ts';

type Needs = Pick<CorePart, 'core'> & Pick<HooksPart, 'hooks'> & Pick<ApprovalsPart, 'approvals' | 'holdTime'>;

export type TerminalPart = ReturnType<typeof terminalPart>;

/** Claude Code in terminals: its processes, its dialogs, and how it is reached. */
export function terminalPart({ dataDir, configDir, now, onError }: Base, { core, hooks, approvals, holdTime }: Needs) {
  const { live, record } = core;
  const hold = holdApprovals({ core, approvals, holdMs: () => holdTime.get() * 1000, now, onError });
  const turnEnd = new TurnEnd({ setStopping: (isStopping) => hooks.setStopping(isStopping), onError });
  core.observe(turnEnd.observe);
  const terminal = new TerminalDriver({ live, configDir, turnEnd });
  const spareClients = new SpareClients({ configDir, runners: dataDir.file('runners') });
  const processes = new ProcessWatch({ configDir, spareClients, live, record, now, onError });
  core.observe((_event, change) => {
    if (change?.kind === 'session_discovered') processes.wake();
  });
  const stopTimers = () => {
    turnEnd.close();
    hold.stop();
  };
  return {
    hold,
    turnEnd,
    terminal,
    processes,
    spareClients,
    routes: [hookRoutes({ hooks, terminal, record })],
    prepare: () => processes.catchUp().catch(onError),
    start: () => processes.start(),
    async stop() {
      stopTimers();
      await processes.stop();
    },
    close: stopTimers,
  };
}
