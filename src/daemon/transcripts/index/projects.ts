import { basename } from 'node:path';
import { findCheckout } from '../../sessions/checkout.ts';

export interface Project {
  path: string | null;
  name: string;
}

/** How long we assume a folder to be in the same repository. */
const BELIEVED_MS = 60_000;

/** A folder's project, under its name on the board. */
export class Projects {
  readonly #known = new Map<string, { project: Project; at: number }>();

  async of(cwd: string | null): Promise<Project> {
    if (cwd === null) return { path: null, name: 'Unknown project' };
    const known = this.#known.get(cwd);
    if (known && Date.now() - known.at < BELIEVED_MS) return known.project;
    const path = (await findCheckout(cwd))?.root ?? cwd;
    const project = { path, name: basename(path) || path };
    this.#known.set(cwd, { project, at: Date.now() });
    return project;
  }

  /** By folder. */
  async ofAll(folders: Iterable<string | null>): Promise<Map<string | null, Project>> {
    const found = new Map<string | null, Project>();
    for (const cwd of new Set(folders)) found.set(cwd, await this.of(cwd));
    return found;
  }
}

/** `wanted` in lower case: part of the name, or a folder at or above it. */
export function isProject({ path, name }: Project, wanted: string): boolean {
  if (name.toLowerCase().includes(wanted)) return true;
  const folder = wanted.replace(/\/+$/, '');
  const lower = path?.toLowerCase();
  return folder.includes('/') && lower !== undefined && (lower === folder || lower.startsWith(`${folder}/`));
}
