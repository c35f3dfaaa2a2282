import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { type Rule, RuleDraft } from '../../contract/rules.ts';
import { ProjectPolicy } from '../../contract/rules-policy.ts';
import type { Core } from '../core.ts';
import type { Policies } from './policies.ts';
import type { Rules } from './rules.ts';

const Backup = z.object({
  rules: z.array(RuleDraft),
  policies: z.array(ProjectPolicy),
});

interface BackupOptions {
  path: string;
  replace: (text: string) => void;
  rules: Rules;
  policies: Policies;
}

/** Writes the rules and policies to a separate file after every change, so a broken journal doesn't lose them. */
export function keepRulesBackup(
  core: Core,
  { replace, rules, policies }: BackupOptions,
  onError: (error: unknown) => void,
) {
  const save = () => {
    try {
      const text = JSON.stringify({ rules: rules.list().map(toDraft), policies: policies.list() }, null, 2);
      replace(`${text}\n`);
    } catch (error) {
      onError(error);
    }
  };
  save();
  core.observe(({ source, name }) => {
    // the change is applied once the recorder continues
    if (source === 'operator' && (name.startsWith('rule.') || name === 'policy.set')) setImmediate(save);
  });
}

function toDraft({
  id: _id,
  version: _version,
  createdAt: _createdAt,
  updatedAt: _updatedAt,
  ...draft
}: Rule): RuleDraft {
  return draft;
}

/** Returns how many rules were restored. */
export async function restoreRules({ path, rules, policies }: BackupOptions): Promise<number> {
  if (!existsSync(path)) return 0;
  const backup = Backup.parse(JSON.parse(readFileSync(path, 'utf8')));
  await rules.import(backup.rules, 'backup');
  for (const { project, policy } of backup.policies) await policies.set(project, policy, 'backup');
  return backup.rules.length;
}
