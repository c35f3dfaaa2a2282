import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { StrictChange, StrictProject, StrictProjects } from '../../contract/projects.ts';
import { actorName } from './actor-name.ts';
import type { Context } from './context.ts';

export const projectRoutes: FastifyPluginAsyncZod<Context> = async (app, { strict, record }) => {
  const tags = ['projects'];

  app.get('/api/projects/strict', { schema: { tags, response: { 200: StrictProjects } } }, async () => ({
    projects: strict.list(),
  }));

  app.put(
    '/api/projects/strict',
    { schema: { tags, body: StrictChange, response: { 200: StrictProject } } },
    async ({ body, device }) => {
      const project = await strict.set(body);
      const detail = `${project.path}: strict mode ${body.strict ? 'on' : 'off'}`;
      const payload = { path: project.path, strict: body.strict, by: actorName(device), detail };
      await record({ sessionId: '', source: 'operator', name: 'project.strict', payload });
      return project;
    },
  );
};
