import { expect, test } from 'vitest';
import { anApproval } from '../answer/approval-for-test.ts';
import { suggestRule } from './suggest-rule.ts';

test('suggests similar calls in its project, or else in its session', () => {
  const approval = anApproval('a', { toolInput: { command: 'npm run build' } });
  expect(suggestRule(approval, '/p')).toMatchObject({
    draft: { scope: 'project', project: '/p', pattern: { parameters: { command: 'npm run *' } }, decision: 'allow' },
    parameter: 'command',
  });
  expect(suggestRule(approval, null).draft).toMatchObject({ scope: 'session', sessionId: 's1' });
  expect(suggestRule(anApproval('a', { toolName: 'mcp__x__y', toolInput: { q: 1 } }), null).parameter).toBeNull();
});

test('suggests only the exact command if a wider rule would be risky or there are several commands', () => {
  const pattern = (command: string) =>
    suggestRule(anApproval('a', { toolInput: { command } }), '/p').draft.pattern.parameters.command;
  expect(pattern('rm -rf build')).toBe('rm -rf build');
  expect(pattern('ls *.ts | wc -l')).toBe('ls \\*.ts|wc -l');
  expect(pattern('git tag v2 -m "two words" && ls')).toBe('git tag v2 -m "two words"|ls');
  expect(pattern('git add . \\\n  && git push origin main; git push origin main')).toBe(
    'git add .|git push origin main',
  );
});
