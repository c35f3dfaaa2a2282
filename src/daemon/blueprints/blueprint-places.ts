import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, sep } from 'node:path';
import type { BlueprintPlace, BlueprintScope, WritableScope } from '../../contract/blueprints.ts';
import { findCheckout } from '../sessions/checkout.ts';
import { BlueprintPlaceUnknown, BlueprintRefused } from './errors.ts';
import { ignore, makeFolder } from './safe-files.ts';

export interface AgentsPlace {
  scope: BlueprintScope;
  folder: string;
  /** Files must really be in here: a repository could link to anything. null: the user's own folder. */
  within: string | null;
}

export interface OwnPlaces {
  /** Ground Control's folder. */
  dataDir: string;
  /** Claude Code's folder. */
  configDir: string;
  agentsDir: string | undefined;
  /** A second process only reads: finishing a write the daemon is in the middle of is the daemon's job. */
  readOnly?: boolean;
}

/** Where to look for blueprints, highest precedence first. */
export async function findAgentsPlaces({ project, agentsDir }: BlueprintPlace, own: OwnPlaces): Promise<AgentsPlace[]> {
  const chosen = agentsDir ?? own.agentsDir;
  if (agentsDir !== undefined) requireAbsolute(agentsDir);
  const root = project === undefined ? undefined : await rootOf(project);
  return [
    ...(chosen ? [{ scope: 'environment' as const, folder: chosen, within: null }] : []),
    ...(root ? [{ scope: 'project' as const, folder: join(root, '.groundcontrol', 'agents'), within: root }] : []),
    { scope: 'user', folder: join(own.dataDir, 'agents'), within: null },
    ...(root ? [{ scope: 'claude_project' as const, folder: join(root, '.claude', 'agents'), within: root }] : []),
    { scope: 'claude_user', folder: join(own.configDir, 'agents'), within: null },
  ];
}

/** Throws if a link leads out of the project. */
export async function requireInside({ folder, within }: AgentsPlace, path = folder): Promise<void> {
  if (within === null) return;
  const real = await realpath(path).catch(ignore('ENOENT', 'ENOTDIR'));
  if (real === undefined || real === within || real.startsWith(within + sep)) return;
  throw new BlueprintRefused(path, `a link leads out of ${within}`);
}

/** The folder to write to, created if missing. */
export async function makeAgentsPlace(places: AgentsPlace[], scope: WritableScope): Promise<AgentsPlace> {
  const place = places.find((one) => one.scope === scope);
  if (!place)
    throw scope === 'project'
      ? new BlueprintPlaceUnknown('project', "name the project's folder")
      : new BlueprintPlaceUnknown('AGENT_ORCHESTRATOR_AGENTS_DIR', 'it is not set');
  if (place.within) await makeFolder(join(place.within, '.groundcontrol'));
  if (scope !== 'environment') await makeFolder(place.folder);
  else if (!(await stat(place.folder).catch(ignore('ENOENT')))?.isDirectory())
    throw new BlueprintPlaceUnknown(place.folder, 'there is no such folder');
  await requireInside(place);
  return place;
}

/** Of the main checkout: an agent in a worktree must not choose how the next agent starts. */
async function rootOf(project: string): Promise<string> {
  requireAbsolute(project);
  const real = await realpath(project).catch(ignore('ENOENT', 'ENOTDIR', 'EACCES'));
  if (real === undefined) throw new BlueprintPlaceUnknown(project, 'there is no such folder');
  return (await findCheckout(real))?.root ?? real;
}

function requireAbsolute(path: string): void {
  if (!isAbsolute(path) || path.includes('\0')) throw new BlueprintPlaceUnknown(path, 'use an absolute path');
}
