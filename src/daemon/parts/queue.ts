import { queueRoutes } from '../http/queue.ts';
import { PaceState, STEADY } from '../queue/pace.ts';
import { SessionQueue } from '../queue/session-queue.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

const STATE_FILE = 'queue.json';

export type QueuePart = ReturnType<typeof queuePart>;

/** Which of the sessions that are started from here run, and which wait. The orchestrator attaches itself to it. */
export function queuePart({ dataDir, now, onError }: Base, { core }: Pick<CorePart, 'core'>) {
  const queue = new SessionQueue({
    core,
    limits: dataDir.setting('sessionLimits'),
    state: {
      load: () => dataDir.readOwn(STATE_FILE, PaceState) ?? STEADY,
      save: (state) => dataDir.writeOwn(STATE_FILE, state),
    },
    now,
    onError,
  });
  return { queue, routes: [queueRoutes({ queue })], stop: () => queue.stop() };
}
