import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Project {
  name: string;
  path: string;
}

export const PROJECT_NAMES = [
  'harbor-api',
  'atlas-web',
  'lighthouse-cli',
  'fieldnotes-mobile',
  'tidepool-ml',
  'orbit-infra',
  'almanac-docs',
] as const;
export type ProjectName = (typeof PROJECT_NAMES)[number];

const BRANCHES: Record<ProjectName, string> = {
  'harbor-api': 'feat/invoice-ledger',
  'atlas-web': 'refactor/design-tokens',
  'lighthouse-cli': 'release/2.4',
  'fieldnotes-mobile': 'feat/offline-sync',
  'tidepool-ml': 'exp/eval-harness',
  'orbit-infra': 'main',
  'almanac-docs': 'i18n/rtl',
};

export const branchOf = (name: ProjectName): string => BRANCHES[name];

/** Folders that look like repositories from outside: the daemon reads the branch from `.git/HEAD`. */
export function makeProjects(folder: string): Record<ProjectName, Project> {
  const made = PROJECT_NAMES.map((name) => {
    const path = join(folder, name);
    mkdirSync(join(path, '.git'), { recursive: true });
    writeFileSync(join(path, '.git', 'HEAD'), `ref: refs/heads/${BRANCHES[name]}\n`);
    return [name, { name, path }] as const;
  });
  return Object.fromEntries(made) as Record<ProjectName, Project>;
}
