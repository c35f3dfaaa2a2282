import type { RuleDraft } from '../../contract/rules.ts';
import { DomainError } from '../errors.ts';

/** Marks rules that came with a start, to tell them from the operator's own. */
export const PRE_APPROVED = 'Pre-approved for this session';

/** The part of a call that a pattern in parentheses applies to. */
const PARAMETERS: Record<string, string> = {
  Bash: 'command',
  Read: 'file_path',
  Edit: 'file_path',
  MultiEdit: 'file_path',
  Write: 'file_path',
  NotebookEdit: 'notebook_path',
  Glob: 'pattern',
  Grep: 'pattern',
  WebFetch: 'url',
  WebSearch: 'query',
  Task: 'subagent_type',
  Agent: 'subagent_type',
  Skill: 'skill',
};

/** Converts `Bash(npm test*)` into a rule that allows it in one session. */
export function toSessionRule(text: string, sessionId: string): RuleDraft {
  const [, toolName = '', inside] = /^([\w*|.:-]+)(?:\((.*)\))?$/s.exec(text.trim()) ?? [];
  if (toolName === '') throw badPattern(text, 'use a tool name, or one with a pattern: Read, Bash(npm test*)');
  const draft: RuleDraft = {
    scope: 'session',
    sessionId,
    priority: 0,
    enabled: true,
    pattern: { toolName, parameters: {} },
    decision: 'allow',
    reason: PRE_APPROVED,
  };
  if (inside === undefined || inside === '' || inside === '*') return draft;
  const parameter = PARAMETERS[toolName];
  if (parameter === undefined)
    throw badPattern(text, `patterns are known for ${Object.keys(PARAMETERS).join(', ')}; use ${toolName} alone`);
  return { ...draft, pattern: { toolName, parameters: { [parameter]: toGlob(toolName, inside) } } };
}

/** Claude Code writes `npm test:*` for every command with that prefix, and `domain:` for every page of a site. */
function toGlob(toolName: string, inside: string): string {
  if (toolName === 'Bash') return inside.replace(/:\*$/, ' *');
  if (toolName === 'WebFetch') return inside.replace(/^domain:(.+)$/, 'https://$1/**');
  return inside;
}

const badPattern = (text: string, why: string): DomainError =>
  new DomainError('session.bad_tool', 422, `"${text}" can't be pre-approved: ${why}.`);
