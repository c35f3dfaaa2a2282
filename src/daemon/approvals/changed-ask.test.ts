import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import type { Approval } from '../../contract/approvals.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  await daemon.call('PUT', '/api/away', { body: { away: true } });
});
afterAll(() => daemon.dispose());

const pending = async (): Promise<Approval[]> =>
  (await daemon.call('GET', '/api/approvals?status=pending')).json.approvals;

const allow = (id: string) => daemon.call('POST', `/api/approvals/${id}/decision`, { body: { decision: 'allow' } });

const payload = (command: string) => ({
  session_id: 's1',
  hook_event_name: 'PermissionRequest',
  tool_name: 'Bash',
  tool_input: { command },
});

/** As a hook process asks, under a name that others can guess. */
const ask = (command: string, asker: string) =>
  daemon.call('POST', '/api/live/ask', {
    token: false,
    headers: { 'x-groundcontrol-token': daemon.hookToken, 'x-groundcontrol-asker': asker },
    body: payload(command),
  });

it('withholds an allow from a caller that reconnects with different input', async () => {
  const harmless = ask('git status', '100.50.1');
  const [shown] = await expect.poll(pending).toHaveLength(1).then(pending);
  expect(shown).toMatchObject({ toolInput: { command: 'git status' } });
  await allow(shown!.id);
  expect((await harmless).json).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });

  const other = ask('rm -rf /', '100.50.1');
  const [asked] = await expect.poll(pending).toHaveLength(1).then(pending);
  expect(asked).toMatchObject({ toolInput: { command: 'rm -rf /' } });
  expect(asked!.id).not.toBe(shown!.id);
  await daemon.call('POST', `/api/approvals/${asked!.id}/decision`, { body: { decision: 'deny' } });
  expect((await other).json).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'deny' } } });
});

it('gives identical parallel calls one answer, also if one asks after it, and asks again for a later call', async () => {
  const call = (id: string) => ({ ...payload('cat notes'), session_id: 's3', tool_use_id: id });
  const start = (id: string) => daemon.hook({ ...call(id), hook_event_name: 'PreToolUse' });
  const request = () => daemon.hook({ ...payload('cat notes'), session_id: 's3' });
  await start('toolu_1');
  await start('toolu_2');
  const first = request();
  const [shown] = await expect.poll(pending).toHaveLength(1).then(pending);
  await allow(shown!.id);
  const allowed = { hookSpecificOutput: { decision: { behavior: 'allow' } } };
  expect((await first).json).toMatchObject(allowed);
  expect((await request()).json).toMatchObject(allowed);

  await start('toolu_3');
  const later = request();
  const [asked] = await expect.poll(pending).toHaveLength(1).then(pending);
  expect(asked!.id).not.toBe(shown!.id);
  await allow(asked!.id);
  expect((await later).json).toMatchObject(allowed);
});

it('withholds an allow from a different call with the same id', async () => {
  const tool = (command: string) => ({ ...payload(command), tool_use_id: 'toolu_1', session_id: 's2' });
  await daemon.hook({ ...tool('git status'), hook_event_name: 'PreToolUse' });
  const harmless = daemon.hook({ ...payload('git status'), session_id: 's2' });
  const [shown] = await expect.poll(pending).toHaveLength(1).then(pending);
  await daemon.hook({ ...tool('rm -rf /'), hook_event_name: 'PreToolUse' });
  const other = daemon.hook({ ...payload('rm -rf /'), session_id: 's2' });
  await expect.poll(async () => (await pending()).map(({ toolInput }) => toolInput.command)).toContain('rm -rf /');
  expect((await allow(shown!.id)).json).toMatchObject({ toolInput: { command: 'git status' } });
  // denied, or left to its terminal, but never allowed
  for (const { id } of await pending())
    await daemon.call('POST', `/api/approvals/${id}/decision`, { body: { decision: 'deny' } });
  expect(JSON.stringify((await other).json)).not.toContain('allow');
  await harmless;
});
