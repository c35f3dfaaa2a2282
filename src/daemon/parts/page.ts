import type { DaemonStatus } from '../../contract/daemon.ts';
import { daemonRoutes } from '../http/daemon.ts';
import { staticRoutes } from '../http/static.ts';
import { streamRoutes } from '../http/stream.ts';
import type { AccessPart } from './access.ts';
import type { ApprovalsPart } from './approvals.ts';
import { type Base, urlOf } from './base.ts';
import type { CorePart } from './core.ts';
import type { RemotePart } from './remote.ts';
import type { SessionsPart } from './sessions.ts';
import type { TranscriptsPart } from './transcripts.ts';

type Needs = Pick<CorePart, 'core' | 'board'> &
  Pick<AccessPart, 'devices' | 'run' | 'acting'> &
  Pick<RemotePart, 'behind'> &
  Pick<SessionsPart, 'unknownEvents'> &
  Pick<ApprovalsPart, 'presence'> &
  Pick<TranscriptsPart, 'today'> & {
    version: string;
    webDir: string | undefined;
    /** The agents are simulated. */
    isDemo: boolean;
  };

/** The web app's files, its stream, and how the daemon is. */
export function pagePart(base: Base, needs: Needs) {
  const { dataDir, configDir, startedAt } = base;
  const { core, board, devices, acting, run, behind, unknownEvents, presence, today, version, webDir, isDemo } = needs;
  const { journal, hub } = core;
  const status = (): DaemonStatus => {
    const counts = board.counts();
    return {
      version,
      pid: process.pid,
      url: urlOf(base),
      dataDir: dataDir.path,
      configDir,
      startedAt,
      seq: journal.committedSeq,
      eventCount: journal.eventCount,
      journalBytes: journal.bytes,
      rssBytes: process.memoryUsage.rss(),
      streamClients: hub.clientCount,
      counts: { needsYou: counts.needs_you, autonomous: counts.autonomous, delivered: counts.delivered },
      unknownEvents: unknownEvents.list(),
      journalFailure: journal.failure,
      machine: board.machine,
      demo: isDemo,
    };
  };
  return {
    routes: [
      streamRoutes({ hub, board, journal, devices, today, presence, acting }),
      daemonRoutes({ status, board }),
      staticRoutes({ webDir, run, basePathOf: behind.basePathOf }),
    ],
  };
}
