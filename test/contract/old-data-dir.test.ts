import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
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

it('survives half a surrogate pair in what an older version stored', async () => {
  const broken = loadOldDataDir().folder;
  const db = new Database(join(broken, 'data', 'journal.db'));
  const half = (text: string) =>
    text
      .replaceAll('"toolName":"', '"toolName":"\\ud800')
      .replaceAll('"by":"', '"by":"\\uDFFF')
      .replaceAll('"ruleId":"', '"ruleId":"\\ud83d')
      .replaceAll('"why":"', '"why":"\\ud83d\\ude42 \\ud83d');
  const events = db.prepare('SELECT seq, body FROM events WHERE source IN (?, ?)').all('operator', 'control');
  for (const { seq, body } of events as { seq: number; body: Buffer }[])
    db.prepare('UPDATE events SET body = ? WHERE seq = ?').run(Buffer.from(half(Buffer.from(body).toString())), seq);
  for (const { id, body } of db.prepare('SELECT id, body FROM approvals').all() as { id: string; body: string }[])
    db.prepare('UPDATE approvals SET body = ? WHERE id = ?').run(half(body), id);
  db.close();

  const restarted = await startTestDaemon({ folder: broken });
  for (const path of [
    '/api/audit',
    '/api/audit?who=x',
    '/api/stats',
    '/api/approvals',
    '/api/sessions/held/decisions',
    '/api/sessions/idle/decisions',
    '/sessions/held/tool-decisions',
    '/sessions/idle/tool-decisions',
  ])
    expect((await restarted.call('GET', path)).status, path).toBeLessThan(500);
  const { text } = await restarted.call('GET', '/sessions/idle/tool-decisions');
  expect(text).toContain('\ufffdBash');
  expect(text).not.toMatch(/\\ud8/i);
  await restarted.dispose();
});
