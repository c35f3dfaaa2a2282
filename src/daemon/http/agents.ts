import type { BlueprintPlace } from '../../contract/blueprints.ts';
import type { EventsOf } from '../../contract/events.ts';
import * as routes from '../../contract/routes/agents.ts';
import type { KnownDevice } from '../access/devices.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import { checkBlueprint } from '../blueprints/check-blueprint.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface AgentsContext {
  blueprints: Blueprints;
  live: LiveModel;
  record: Core['record'];
}

export const agentRoutes = routesOf<AgentsContext>((app, { blueprints, live, record }) => {
  /** Viewers see blueprints of projects on the board and can't search the disk for others. */
  const checkPlace = (device: KnownDevice | undefined, { project, agentsDir }: BlueprintPlace) => {
    const isKnown = project === undefined || live.views().some(({ projectPath }) => projectPath === project);
    if (device?.role !== 'viewer' || (agentsDir === undefined && isKnown)) return;
    throw new DomainError(
      'access.viewer',
      403,
      `${device.name} is view only and can see blueprints only of projects on the board.`,
    );
  };

  const note = (action: EventsOf<'agent'>, { by, name, path }: { by: string; name: string; path: string }) =>
    record({
      sessionId: '',
      source: 'operator',
      name: action,
      payload: { by, agent: name, detail: `${name}: ${path}` },
    });

  serve(app, routes.listAgents, async ({ query, device }) => {
    checkPlace(device, query);
    return { agents: await blueprints.list(query) };
  });
  serve(app, routes.getAgent, ({ params, query, device }) => {
    checkPlace(device, query);
    return blueprints.get(params.name, query);
  });
  serve(app, routes.saveAgent, async ({ params, body, device }) => {
    const saved = await blueprints.save(params.name, body);
    await note('agent.saved', { by: actorName(device), ...saved });
    return saved;
  });
  serve(app, routes.removeAgent, async ({ params, query, device }) => {
    const { path } = await blueprints.get(params.name, query);
    await blueprints.remove(params.name, query);
    await note('agent.removed', { by: actorName(device), name: params.name, path });
    return null;
  });
  serve(app, routes.checkAgent, async ({ body: { name, texts } }) => ({
    problems: (await checkBlueprint(name, texts)).problems,
  }));
  serve(app, routes.renderAgent, async ({ params, body }) => ({
    systemPrompt: await blueprints.render(params.name, body),
  }));
});
