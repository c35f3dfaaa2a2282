import { RunnerDriver } from '../drivers/runner/runner-driver.ts';
import { Runners } from '../drivers/runner/runners.ts';
import { openMessageRoutes } from '../http/open-messages.ts';
import { runnerRoutes } from '../http/runners.ts';
import { shellRoutes } from '../http/shells.ts';
import type { AccessPart } from './access.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { ReviewsPart } from './reviews.ts';

type Needs = Pick<CorePart, 'core'> & Pick<AccessPart, 'origins'> & Pick<ReviewsPart, 'reviews'>;

export type RunnersPart = ReturnType<typeof runnersPart>;

/** The processes that host sessions we started. */
export function runnersPart({ dataDir, now, onError }: Base, { core, origins, reviews }: Needs) {
  const runners = new Runners({
    core,
    folder: dataDir.file('runners'),
    rowFor: (sessionId, endedCall) => reviews.rowFor(sessionId, endedCall),
    now,
    onError,
  });
  origins.watchHosts(() => runners.processes());
  return {
    runners,
    runnerDriver: new RunnerDriver({ runners, live: core.live }),
    routes: [runnerRoutes({ runners, origins }), shellRoutes({ runners }), openMessageRoutes({ runners })],
    stop: () => runners.stop(),
  };
}
