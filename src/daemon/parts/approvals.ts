import { approvalTimeout as readApprovalTimeout } from '../approvals/approval-timeout.ts';
import { Approvals } from '../approvals/approvals.ts';
import { cancelEnded } from '../approvals/cancel-ended.ts';
import { Holding } from '../approvals/holding.ts';
import { Presence } from '../approvals/presence.ts';
import { timeOutApprovals } from '../approvals/time-out.ts';
import { waitingRoutes } from '../http/approvals.ts';
import type { AccessPart } from './access.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type ApprovalsPart = ReturnType<typeof approvalsPart>;

/** Held questions, and how long they wait for the operator. */
export function approvalsPart(
  { dataDir, env, log, now, onError }: Base,
  { core, acting }: Pick<CorePart, 'core'> & Pick<AccessPart, 'acting'>,
) {
  const approvals = new Approvals({ core, now });
  const presence = new Presence({ now });
  const away = dataDir.setting('away');
  const holdTime = dataDir.setting('holdSeconds');
  const undoSeconds = dataDir.setting('undoSeconds');
  const approvalTimeout = readApprovalTimeout({ dataDir, env, log });
  const attendance = () => ({ presence: presence.level(), away: away.get() });
  const holding = new Holding({ approvals, attendance, now, onError });
  cancelEnded({ core, approvals, onError });
  const { record } = core;
  let timeOuts: { stop(): void } | undefined;
  return {
    approvals,
    presence,
    holding,
    holdTime,
    undoSeconds,
    approvalTimeout,
    routes: [waitingRoutes({ approvalTimeout, undoSeconds, away, presence, holdTime, record, acting })],
    start() {
      timeOuts = timeOutApprovals({ approvals, now, onError });
    },
    stop() {
      timeOuts?.stop();
      holding.stop();
      approvals.letGo();
    },
    close: () => holding.stop(),
  };
}
