import * as routes from '../../contract/routes/projects.ts';
import type { Core } from '../core.ts';
import type { StrictControl } from '../drivers/terminal/strict/strict-control.ts';
import { actorName } from './actor-name.ts';
import { routesOf } from './routes.ts';
import { serve } from './serve.ts';

interface ProjectsContext {
  strict: StrictControl;
  record: Core['record'];
}

export const projectRoutes = routesOf<ProjectsContext>((app, { strict, record }) => {
  serve(app, routes.listStrictProjects, () => ({ projects: strict.list() }));
  serve(app, routes.setStrictProject, async ({ body, device }) => {
    const project = await strict.set(body);
    const detail = `${project.path}: strict mode ${body.strict ? 'on' : 'off'}`;
    const payload = { path: project.path, strict: body.strict, by: actorName(device), detail };
    await record({ sessionId: '', source: 'operator', name: 'project.strict', payload });
    return project;
  });
});
