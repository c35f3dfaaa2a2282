import { sep } from 'node:path';

/** Whether a folder belongs to one of these projects. Empty: there is no limit. A session whose folder is unknown belongs to none. */
export function isInProjects(projects: readonly string[], path: string | null | undefined): boolean {
  if (projects.length === 0) return true;
  if (path === null || path === undefined) return false;
  return projects.some(
    (project) => path === project || path.startsWith(project.endsWith(sep) ? project : project + sep),
  );
}
