import { isWithin } from '../is-within.ts';

/** Whether a folder belongs to one of these projects. Empty: there is no limit. A session whose folder is unknown belongs to none. */
export function isInProjects(projects: readonly string[], path: string | null | undefined): boolean {
  return projects.length === 0 || projects.some((project) => isWithin(path, project));
}
