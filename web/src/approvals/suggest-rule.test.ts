import { expect, test } from 'vitest';
import { anApproval } from './approval.fixture.ts';
import { exactPattern, suggestRule } from './suggest-rule.ts';

test('suggests what is like the call, in its project, else in its session', () => {
  const approval = anApproval('a', { toolInput: { command: 'npm run build' } });
  expect(suggestRule(approval, '/p')).toMatchObject({
    draft: { scope: 'project', project: '/p', pattern: { parameters: { command: 'npm run *' } }, decision: 'allow' },
    parameter: 'command',
  });
  expect(suggestRule(approval, null).draft).toMatchObject({ scope: 'session', sessionId: 's1' });
  expect(suggestRule(anApproval('a', { toolName: 'mcp__x__y', toolInput: { q: 1 } }), null).parameter).toBeNull();
});

test('takes a text literally', () => {
  expect(exactPattern('echo {a,b} * ? | wc \\n')).toBe('echo \\{a\\,b\\} \\* \\? \\| wc \\\\n');
});
