import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import * as routes from '../../contract/routes/projects.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';
import { serve } from './serve.ts';

export const projectRoutes: FastifyPluginAsyncZod<Context> = async (app, { strict, record }) => {
  serve(app, routes.listStrictProjects, () => ({ projects: strict.list() }));
  serve(app, routes.setStrictProject, async ({ body, device }) => {
    const project = await strict.set(body);
    const detail = `${project.path}: strict mode ${body.strict ? 'on' : 'off'}`;
    const payload = { path: project.path, strict: body.strict, by: actorName(device), detail };
    await record({ sessionId: '', source: 'operator', name: 'project.strict', payload });
    return project;
  });
};
