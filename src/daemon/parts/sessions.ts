import { CollisionWatch } from '../collisions/collision-watch.ts';
import { UnknownEvents } from '../drivers/terminal/intake/unknown-events.ts';
import { sessionRoutes } from '../http/sessions.ts';
import { watchCheckouts } from '../sessions/checkout-watch.ts';
import { StallWatch } from '../sessions/stall-watch.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { RulesPart } from './rules.ts';

const CLOCK_MS = 250;
const AT_ONCE = 100;

export type SessionsPart = ReturnType<typeof sessionsPart>;

/** What is found out about sessions besides what they tell, and what time alone does to them. */
export function sessionsPart(
  { dataDir, now, onError }: Base,
  { core, board, decisionCounts }: Pick<CorePart, 'core' | 'board'> & Pick<RulesPart, 'decisionCounts'>,
) {
  const { journal, live, record } = core;
  const { settleMs, keepEndedMs } = dataDir.preferences();
  const unknownEvents = new UnknownEvents(journal.db);
  const observePlace = watchCheckouts({ live, record, onError });
  core.observe(new CollisionWatch({ live, record, onError }).observe);
  core.observe((event, change) => {
    unknownEvents.count(event);
    if (change) observePlace(change, event);
  });
  let clock: NodeJS.Timeout | undefined;
  return {
    unknownEvents,
    routes: [sessionRoutes({ ...core, record, board, decisionCounts })],
    start() {
      const stalls = new StallWatch(now());
      let isRecording = false;
      clock = setInterval(async () => {
        if (isRecording) return;
        isRecording = true;
        const due = [...live.due(now(), { settleMs, keepEndedMs }), ...stalls.due(now(), live.sessions())];
        // ten thousand sessions that settle at once would be one commit, and every hook would wait for it
        for (let at = 0; at < due.length; at += AT_ONCE)
          await Promise.all(due.slice(at, at + AT_ONCE).map((draft) => record(draft).catch(onError)));
        isRecording = false;
      }, CLOCK_MS);
    },
    stop: () => clearInterval(clock),
  };
}
