import { z } from 'zod';
import {
  Blueprint,
  BlueprintCheck,
  BlueprintList,
  BlueprintPlace,
  BlueprintProblems,
  BlueprintRendered,
  BlueprintRenderRequest,
  BlueprintSave,
  BlueprintScope,
  WritableScope,
} from '../../contract/blueprints.ts';
import type { KnownDevice } from '../access/devices.ts';
import type { Blueprints } from '../blueprints/blueprints.ts';
import { checkBlueprint } from '../blueprints/check-blueprint.ts';
import type { Core } from '../core.ts';
import { DomainError } from '../errors.ts';
import type { LiveModel } from '../sessions/live-model.ts';
import { actorName } from './actor-name.ts';
import type { Routes } from './routes.ts';

const Params = z.object({ name: z.string() });

interface AgentsContext {
  blueprints: Blueprints;
  live: LiveModel;
  record: Core['record'];
}

export const agentRoutes =
  ({ blueprints, live, record }: AgentsContext): Routes =>
  async (app) => {
    const tags = ['agents'];

    /** A viewer sees the blueprints of projects on the board, and can't look for others on the disk. */
    const checkPlace = (device: KnownDevice | undefined, { project, agentsDir }: BlueprintPlace) => {
      const isKnown = project === undefined || live.views().some(({ projectPath }) => projectPath === project);
      if (device?.role !== 'viewer' || (agentsDir === undefined && isKnown)) return;
      throw new DomainError(
        'access.viewer',
        403,
        `${device.name} may see the blueprints of projects on the board only.`,
      );
    };

    const note = (action: string, { by, name, path }: { by: string; name: string; path: string }) =>
      record({
        sessionId: '',
        source: 'operator',
        name: action,
        payload: { by, agent: name, detail: `${name}: ${path}` },
      });

    app.get(
      '/api/agents',
      { schema: { tags, querystring: BlueprintPlace, response: { 200: BlueprintList } } },
      async ({ query, device }) => {
        checkPlace(device, query);
        return { agents: await blueprints.list(query) };
      },
    );

    app.get(
      '/api/agents/:name',
      {
        schema: {
          tags,
          params: Params,
          querystring: BlueprintPlace.extend({ scope: BlueprintScope.optional() }),
          response: { 200: Blueprint },
        },
      },
      async ({ params, query, device }) => {
        checkPlace(device, query);
        return blueprints.get(params.name, query);
      },
    );

    app.put(
      '/api/agents/:name',
      { schema: { tags, params: Params, body: BlueprintSave, response: { 200: Blueprint } } },
      async ({ params, body, device }) => {
        const saved = await blueprints.save(params.name, body);
        await note('agent.saved', { by: actorName(device), ...saved });
        return saved;
      },
    );

    app.delete(
      '/api/agents/:name',
      {
        schema: {
          tags,
          params: Params,
          querystring: BlueprintPlace.extend({ scope: WritableScope, expected: z.string() }),
          response: { 204: z.null() },
        },
      },
      async ({ params, query, device }, reply) => {
        const { path } = await blueprints.get(params.name, query);
        await blueprints.remove(params.name, query);
        await note('agent.removed', { by: actorName(device), name: params.name, path });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/api/agents/check',
      { schema: { tags, body: BlueprintCheck, response: { 200: BlueprintProblems } } },
      async ({ body: { name, texts } }) => ({ problems: (await checkBlueprint(name, texts)).problems }),
    );

    app.post(
      '/api/agents/:name/render',
      { schema: { tags, params: Params, body: BlueprintRenderRequest, response: { 200: BlueprintRendered } } },
      async ({ params, body }) => ({ systemPrompt: await blueprints.render(params.name, body) }),
    );
  };
