import { expect, it } from 'vitest';
import type { RuleDraft } from '../../contract/rules.ts';
import { describeRule } from './describe-rule.ts';

const base: RuleDraft = {
  scope: 'global',
  priority: 0,
  enabled: true,
  pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } },
  decision: 'allow',
  reason: '',
};

it.each<[string, Partial<RuleDraft>]>([
  [
    'Allow Bash, if every command in it matches `npm run *` or another allow rule, and it is fully parseable. In every session.',
    {},
  ],
  ['Deny Bash, if any command in it matches `npm run *`. In every session.', { decision: 'deny' }],
  [
    'Ask before Edit or Write, if file_path, as written or with links followed, matches `src/**` in the project. In the project /w/app.',
    {
      decision: 'ask',
      scope: 'project',
      project: '/w/app',
      pattern: { toolName: 'Edit|Write', parameters: { file_path: 'src/**' } },
    },
  ],
  [
    'Allow Read, if file_path, with links followed, matches `*.md` in any folder. In the session abc, until 1970-01-01T00:00:01.000Z.',
    {
      scope: 'session',
      sessionId: 'abc',
      expiresAt: 1000,
      pattern: { toolName: 'Read', parameters: { file_path: '*.md' } },
    },
  ],
  [
    'Deny any tool, whatever its input. In every session, with priority 5 among deny rules (turned off).',
    { decision: 'deny', priority: 5, enabled: false, pattern: { toolName: '*', parameters: {} } },
  ],
  [
    'Allow WebFetch, if url matches `https://docs.example.com/*`. In every session.',
    { pattern: { toolName: 'WebFetch', parameters: { url: 'https://docs.example.com/*' } } },
  ],
])('%s', (text, draft) => expect(describeRule({ ...base, ...draft })).toBe(text));
