import { FanOuts } from '../fan-outs/fan-outs.ts';
import { fanOutRoutes } from '../http/fan-outs.ts';
import type { Orchestrator } from '../orchestrator/orchestrator.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';
import type { WorktreesPart } from './worktrees.ts';

type Needs = Pick<CorePart, 'core'> & Pick<WorktreesPart, 'worktrees'> & { orchestrator: Orchestrator };

/** One prompt to several agents. */
export function fanOutsPart({ now, onError }: Base, { core, worktrees, orchestrator }: Needs) {
  const fanOuts = new FanOuts({ core, orchestrator, worktrees, now, onError });
  return { routes: [fanOutRoutes({ fanOuts })], start: () => fanOuts.start() };
}
