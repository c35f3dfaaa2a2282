import { Blueprints } from '../blueprints/blueprints.ts';
import { agentRoutes } from '../http/agents.ts';
import type { Base } from './base.ts';
import type { CorePart } from './core.ts';

export type BlueprintsPart = ReturnType<typeof blueprintsPart>;

/** Saved agents. */
export function blueprintsPart({ dataDir, configDir, env }: Base, { core }: Pick<CorePart, 'core'>) {
  const agentsDir = env.AGENT_ORCHESTRATOR_AGENTS_DIR;
  const blueprints = new Blueprints({ dataDir: dataDir.path, configDir, agentsDir });
  return { blueprints, routes: [agentRoutes({ blueprints, live: core.live, record: core.record })] };
}
