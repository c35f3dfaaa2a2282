import { StrictChange, StrictProject, StrictProjects } from '../projects.ts';
import { route } from './route.ts';

const tag = 'projects';

export const listStrictProjects = route({ method: 'GET', path: '/api/projects/strict', tag, answer: StrictProjects });
export const setStrictProject = route({
  method: 'PUT',
  path: '/api/projects/strict',
  tag,
  role: 'admin',
  body: StrictChange,
  answer: StrictProject,
});
