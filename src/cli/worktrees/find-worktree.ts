import { sep } from 'node:path';
import type { Client } from '../../client/client.ts';
import * as routes from '../../contract/routes/worktrees.ts';
import type { WorktreeView } from '../../contract/worktrees.ts';
import { CliError } from '../exit.ts';

/** By name, in this folder's project first, or by the beginning of its id. */
export async function findWorktree(api: Client, wanted: string, cwd = process.cwd()): Promise<WorktreeView> {
  const { worktrees } = await api.call(routes.listWorktrees);
  return pickWorktree(worktrees, wanted, cwd);
}

export function pickWorktree<T extends Pick<WorktreeView, 'id' | 'name' | 'project' | 'path'>>(
  worktrees: readonly T[],
  wanted: string,
  cwd: string,
): T {
  const named = worktrees.filter(({ name }) => name.toLowerCase() === wanted.toLowerCase());
  const found = named.length > 0 ? named : worktrees.filter(({ id }) => wanted.length >= 4 && id.startsWith(wanted));
  const near = found.filter(({ project, path }) => [project, path].some((place) => place && isIn(cwd, place)));
  const [one, ...others] = near.length > 0 ? near : found;
  if (!one) throw new CliError(`No worktree named ${JSON.stringify(wanted)}. Run \`gctl worktrees\` to see them.`);
  if (others.length === 0) return one;
  const list = [one, ...others].map(({ id, project }) => `\n${id.slice(0, 8)}  ${project ?? 'scratch'}`).join('');
  throw new CliError(`Several worktrees are named ${wanted}. Use an id:${list}`);
}

const isIn = (folder: string, place: string): boolean => folder === place || folder.startsWith(place + sep);
