import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import type { AuditEntry } from '../../contract/audit.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  for (const decision of ['allow', 'deny']) {
    const body = { session_id: `s-${decision}`, tool_name: 'Bash', tool_input: { command: '=cmd|calc, "quoted"' } };
    const { request_id } = (await daemon.call('POST', '/create-approval-request', { body })).json;
    await daemon.call('POST', `/api/approvals/${request_id}/decision`, {
      body: { decision, ...(decision === 'deny' ? { message: '=HYPERLINK("x")' } : {}) },
    });
  }
});
afterAll(() => daemon.dispose());

it('records each decision: who, when, how long it waited, on what', async () => {
  const { entries } = (await daemon.call('GET', '/api/audit')).json;
  expect(entries).toMatchObject([
    {
      action: 'approval.decided',
      outcome: 'allow',
      by: expect.stringContaining('This machine'),
      sessionId: 's-allow',
      toolName: 'Bash',
      waitedMs: expect.any(Number),
    },
    { action: 'approval.decided', outcome: 'deny', detail: '=HYPERLINK("x")' },
  ]);
});

it('can be filtered and paged', async () => {
  const get = async (query: string) => (await daemon.call('GET', `/api/audit?${query}`)).json;
  expect((await get('sessionId=s-deny')).entries).toHaveLength(1);
  expect((await get('action=rule.')).entries).toEqual([]);
  expect((await get('by=nobody')).entries).toEqual([]);
  const first = await get('limit=1');
  expect((await get(`after=${first.nextAfter}`)).entries).toMatchObject([{ outcome: 'deny' }]);
});

it('is exported as JSON lines, and as CSV without formula injection', async () => {
  const lines = (await daemon.call('GET', '/api/audit/export')).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['allow', 'deny']);
  const { text, headers } = await daemon.call('GET', '/api/audit/export?format=csv');
  expect(headers['content-type']).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe('seq,at,action,by,sessionId,outcome,toolName,toolInput,ruleId,waitedMs,detail');
  expect(text).toContain('"\'=HYPERLINK(""x"")"');
  expect(text).toContain('"{""command"":""=cmd|calc, \\""quoted\\""""}"');
});

it('can be filtered by anyone in it, in either order', async () => {
  const rule = { pattern: { toolName: 'Bash', parameters: { command: 'rm *' } }, decision: 'deny' };
  await daemon.call('POST', '/api/rules', { body: rule });
  const call = { session_id: 'found', tool_name: 'Bash', tool_input: { command: 'rm x' } };
  await daemon.hook({ ...call, hook_event_name: 'PreToolUse', tool_use_id: 't' });
  const ask = { ...call, tool_input: { command: 'ls' } };
  const held = daemon.hook({ ...ask, hook_event_name: 'PermissionRequest' });
  await expect
    .poll(async () => (await daemon.call('GET', '/api/approvals?status=pending')).json.approvals)
    .toHaveLength(1);
  await daemon.hook({ ...ask, hook_event_name: 'Stop' });
  await held;
  await daemon.call('POST', '/api/sessions/found/stop', { body: { reason: 'Enough' } });

  const get = async (query: string) => (await daemon.call('GET', `/api/audit?${query}`)).json;
  await expect.poll(async () => (await get('action=session.stopped')).entries).toHaveLength(1);
  const all: AuditEntry[] = (await get('')).entries;
  expect(new Set(all.map(({ by }) => by))).toEqual(
    new Set(['rule', 'terminal', expect.stringContaining('This machine')]),
  );
  for (const { by } of all) {
    const wanted = all.filter((entry) => entry.by === by);
    expect((await get(`by=${encodeURIComponent(by.toUpperCase())}`)).entries).toEqual(wanted);
    expect((await get(`sessionId=found&by=${encodeURIComponent(by)}`)).entries).toEqual(
      wanted.filter(({ sessionId }) => sessionId === 'found'),
    );
  }
  expect((await get('order=newest')).entries).toEqual(all.toReversed());
  const newest: AuditEntry[] = [];
  for (let before = ''; ; ) {
    const page = await get(`order=newest&limit=2${before}`);
    newest.push(...page.entries);
    if (page.nextBefore === null) break;
    before = `&before=${page.nextBefore}`;
  }
  expect(newest).toEqual(all.toReversed());
  const middle = all[2]!.at;
  expect((await get(`since=${middle}`)).entries).toEqual(all.filter(({ at }) => at >= middle));
  expect((await get(`until=${middle}&order=newest`)).entries).toEqual(
    all.filter(({ at }) => at <= middle).toReversed(),
  );
});
