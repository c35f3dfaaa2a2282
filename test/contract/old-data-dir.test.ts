import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';
import { loadOldDataDir } from './old-data-dir/load.ts';

const { folder, expected } = loadOldDataDir();
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ folder });
});
afterAll(async () => {
  await daemon.stop();
  rmSync(folder, { recursive: true, force: true });
});

it('shows the sessions of an older version as that version showed them', async () => {
  const { sessions } = (await daemon.call('GET', '/api/sessions')).json as { sessions: LiveSession[] };
  const { machine } = sessions[0]!;
  // fields that were added since are not compared
  expect(sessions).toMatchObject(expected.sessions.map((session) => ({ ...session, machine })));
  expect(await daemon.session('gone')).toMatchObject({ ...expected.gone, machine });
});

it('keeps its rules, policies and history', async () => {
  expect((await daemon.call('GET', '/api/rules')).json.rules).toEqual(expected.rules);
  expect((await daemon.call('GET', '/api/policies')).json.policies).toEqual(expected.policies);
  const { events } = (await daemon.call('GET', '/api/sessions/idle/events')).json;
  expect(events.map(({ name }: { name: string }) => name)).toContain('PreToolUse');
  const removal = { tool_name: 'Bash', tool_input: { command: 'rm x' } };
  const denied = await daemon.hook({ session_id: 'idle', hook_event_name: 'PreToolUse', ...removal });
  expect(denied.json).toMatchObject({ hookSpecificOutput: { permissionDecision: 'deny' } });
});

it('answers the approval that the older version held', async () => {
  const [held] = (await daemon.call('GET', '/api/approvals?status=pending')).json.approvals;
  expect(held).toMatchObject({ id: expected.approvals[0]!.id, status: 'pending', toolInput: { command: 'git push' } });
  const back = daemon.call('POST', '/api/live/ask', {
    token: false,
    headers: { 'x-groundcontrol-token': daemon.hookToken, 'x-groundcontrol-asker': '100.50.1' },
    body: {
      session_id: 'held',
      cwd: '/w/app',
      hook_event_name: 'PermissionRequest',
      tool_name: 'Bash',
      tool_input: { command: 'git push' },
    },
  });
  await daemon.call('POST', `/api/approvals/${held.id}/decision`, { body: { decision: 'allow' } });
  expect((await back).json).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } });
});
