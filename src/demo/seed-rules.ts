import type { Client } from '../client/client.ts';
import { createRule, setPolicy, updateRule } from '../contract/routes/rules.ts';
import type { RuleDraft } from '../contract/rules.ts';
import type { Project, ProjectName } from './projects.ts';

/** A few rules a careful person would have, one of them changed since. */
export async function seedRules(api: Client, projects: Record<ProjectName, Project>): Promise<void> {
  for (const draft of rulesFor(projects)) await api.call(createRule, { body: draft });
  const draft = bash('npm test*', 'allow', 'Running tests is fine');
  const { id } = await api.call(createRule, { body: draft });
  const body = bash('npm test *', 'allow', 'Running tests, but not commands that only start the same way');
  await api.call(updateRule, { params: { id }, body });
  await api.call(setPolicy, { body: { project: projects['orbit-infra'].path, policy: 'observe' } });
}

type Draft = Pick<RuleDraft, 'pattern' | 'decision'> & Partial<RuleDraft>;

function rulesFor(projects: Record<ProjectName, Project>): Draft[] {
  return [
    {
      pattern: { toolName: 'Read|TodoWrite|Agent', parameters: {} },
      decision: 'allow',
      reason: 'Reading and planning change nothing',
    },
    bash('git log *', 'allow', 'Reads the history'),
    bash('git status', 'allow', 'Reads the history'),
    bash('npm run lint*', 'allow', 'Linting changes nothing'),
    { ...bash('rm -rf *', 'deny', "Don't force-delete. Move it aside instead"), priority: 100 },
    { ...bash('git push *', 'ask', 'A person reviews everything that leaves the machine'), priority: 50 },
    {
      ...bash('terraform apply *', 'ask', 'Infrastructure changes are approved one by one'),
      scope: 'project',
      project: projects['orbit-infra'].path,
    },
    {
      pattern: { toolName: 'Edit|Write', parameters: { file_path: '**/db/migrations/**' } },
      decision: 'ask',
      scope: 'project',
      project: projects['harbor-api'].path,
      reason: 'Review migrations before they are written',
      enabled: false,
    },
  ];
}

function bash(command: string, decision: RuleDraft['decision'], reason: string): Draft {
  return { pattern: { toolName: 'Bash', parameters: { command } }, decision, reason };
}
