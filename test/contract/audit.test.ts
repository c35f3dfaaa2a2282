import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../kit/test-daemon.ts';

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

it('is exported as JSON lines, and as CSV that no spreadsheet takes for a program', async () => {
  const lines = (await daemon.call('GET', '/api/audit/export')).text.trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).outcome)).toEqual(['allow', 'deny']);
  const { text, headers } = await daemon.call('GET', '/api/audit/export?format=csv');
  expect(headers['content-type']).toContain('text/csv');
  expect(text.split('\r\n')[0]).toBe('seq,at,action,by,sessionId,outcome,toolName,toolInput,ruleId,waitedMs,detail');
  expect(text).toContain('"\'=HYPERLINK(""x"")"');
  expect(text).toContain('"{""command"":""=cmd|calc, \\""quoted\\""""}"');
});
