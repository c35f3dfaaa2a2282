import type { Client } from '../client/client.ts';
import { createRule, setPolicy, updateRule } from '../contract/routes/rules.ts';
import type { RuleDraft } from '../contract/rules.ts';
import type { Project, ProjectName } from './projects.ts';

/** A few rules as a careful person would have them, one of them changed since. */
export async function seedRules(api: Client, projects: Record<ProjectName, Project>): Promise<void> {
  for (const draft of rulesFor(projects)) await api.call(createRule, { body: draft });
  const draft = bash('npm test*', 'allow', 'Tests may run');
  const { id } = await api.call(createRule, { body: draft });
  const body = bash('npm test *', 'allow', 'Tests may run, nothing that only begins like it');
  await api.call(updateRule, { params: { id }, body });
  await api.call(setPolicy, { body: { project: projects['orbit-infra'].path, policy: 'observe' } });
}

type Draft = Pick<RuleDraft, 'pattern' | 'decision'> & Partial<RuleDraft>;

function rulesFor(projects: Record<ProjectName, Project>): Draft[] {
  return [
    {
      pattern: { toolName: 'Read|TodoWrite|Agent', parameters: {} },
      decision: 'allow',
      reason: 'Looking and planning change nothing',
    },
    bash('git log *', 'allow', 'Reads the history'),
    bash('git status', 'allow', 'Reads the history'),
    bash('npm run lint*', 'allow', 'Linting changes nothing'),
    { ...bash('rm -rf *', 'deny', 'Nothing is deleted by force; move it aside instead'), priority: 100 },
    { ...bash('git push *', 'ask', 'Whatever leaves the machine is seen by a person first'), priority: 50 },
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
      reason: 'Migrations are read before they are written',
      enabled: false,
    },
  ];
}

function bash(command: string, decision: RuleDraft['decision'], reason: string): Draft {
  return { pattern: { toolName: 'Bash', parameters: { command } }, decision, reason };
}
