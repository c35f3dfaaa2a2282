import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Approval } from '../../src/contract/approvals.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

test('rules decide for a real terminal: allow without a dialog, deny with the reason, ask where the client would not', async () => {
  const { client, home, call, api } = await startDaemonWithClient([
    { when: 'allowed', reply: [callTool('Bash', { command: 'touch allowed.txt' }), say('Made it.')] },
    {
      when: 'chained',
      reply: [callTool('Bash', { command: 'touch a.txt && touch b.txt; rm a.txt' }), say('Left it.')],
    },
    { when: 'harmless', reply: [callTool('Bash', { command: 'echo hello' }), say('Said it.')] },
  ]);
  const rule = async (command: string, decision: string, reason = '') =>
    (await call('POST', '/api/rules', { pattern: { toolName: 'Bash', parameters: { command } }, decision, reason }))
      .json;
  await rule('touch *', 'allow');
  await rule('rm *', 'deny', 'Nothing is removed in this house');
  const asking = await rule('echo *', 'ask');
  const made = (name: string) => existsSync(join(home.project, name));

  await client.prompt('allowed');
  await client.waitForScreen(/Made it\./);
  expect(made('allowed.txt')).toBe(true);

  await client.prompt('chained');
  await client.waitForScreen(/Left it\./);
  expect(made('b.txt')).toBe(false);
  const last = api.requests.findLast(({ kind }) => kind === 'turn');
  expect(JSON.stringify(last?.body.messages)).toContain('Nothing is removed in this house');

  await client.prompt('harmless');
  const asked: Approval = await waitFor(
    async () => (await call('GET', '/api/approvals?status=pending')).json.approvals[0],
    { what: 'the rule to ask', timeout: 60_000 },
  );
  expect(asked).toMatchObject({ kind: 'permission', ruleId: asking.id, toolInput: { command: 'echo hello' } });
  await call('POST', `/api/approvals/${asked.id}/decision`, { decision: 'allow' });
  await client.waitForScreen(/Said it\./);

  const { entries } = (await call('GET', '/api/audit')).json;
  expect(
    entries
      .filter(({ action }: { action: string }) => action === 'rule.applied')
      .map(({ outcome }: { outcome: string }) => outcome),
  ).toEqual(['allow', 'deny']);
  const decided = entries.findLast(({ action }: { action: string }) => action === 'approval.decided');
  expect(decided).toMatchObject({ outcome: 'allow', ruleId: asking.id });
});
