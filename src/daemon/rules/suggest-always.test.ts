import { beforeAll, describe, expect, it } from 'vitest';
import { type Rule, RuleDraft } from '../../contract/rules.ts';
import { loadBash } from './bash/grammar.ts';
import type { RulesIo } from './call-facts.ts';
import { suggestAlways } from './suggest-always.ts';

let io: RulesIo;
beforeAll(async () => {
  io = { parseBash: await loadBash(), realPath: (path) => path };
});

const bash = (command: string, more = {}) => ({
  toolName: 'Bash',
  toolInput: { command },
  sessionId: 's1',
  cwd: '/w/app',
  project: '/w/app',
  now: 1,
  ...more,
});
const saved = (decision: Rule['decision'], command: string): Rule => ({
  ...RuleDraft.parse({ pattern: { toolName: 'Bash', parameters: { command } }, decision }),
  id: 'saved',
  version: 1,
  createdAt: 0,
  updatedAt: 0,
});
const suggest = (call: ReturnType<typeof bash>, rules: Rule[] = []) => suggestAlways(call, { rules, io });

describe('always', () => {
  it.each([
    ['npm run build', 'npm run *'],
    ['git status', 'git status'],
    ['git push origin main', 'git push origin main'],
    ['npm install left-pad', 'npm install left-pad'],
    ['rm -rf build', 'rm -rf build'],
    ['cd src && npm test', 'cd src|npm test'],
  ])('for %s is %s', (command, pattern) => {
    const rule = suggest(bash(command));
    expect(rule.draft.pattern.parameters.command).toBe(pattern);
    expect(rule).toMatchObject({ applies: true, draft: { scope: 'project', project: '/w/app', decision: 'allow' } });
  });

  it('applies to the session if there is no project', () => {
    expect(suggest(bash('npm run build', { project: undefined })).draft).toMatchObject({
      scope: 'session',
      sessionId: 's1',
    });
  });

  it('says which rule would still win', () => {
    expect(suggest(bash('git push origin main'), [saved('ask', 'git push *')])).toMatchObject({
      applies: false,
      why: expect.stringContaining('Asked by rule'),
    });
    expect(suggest(bash('npm run build'), [saved('deny', 'npm *')])).toMatchObject({ applies: false });
  });

  it('says when no rule could allow the call for certain', () => {
    const { applies, why } = suggest(bash('echo $(whoami) > $FILE'));
    expect(applies).toBe(false);
    expect(why).not.toBe('');
  });
});
