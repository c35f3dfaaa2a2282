import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { openSse } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import type { Approval } from '../../contract/approvals.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

let n = 0;
const bash = { tool_name: 'Bash', tool_input: { command: 'git push' } };
const pending = async (sessionId: string): Promise<Approval[]> =>
  (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${sessionId}`)).json.approvals;
const decide = (id: string, body: unknown) => daemon.call('POST', `/api/approvals/${id}/decision`, { body });

/** A client that calls a tool and waits at its permission request. */
async function holdRequest(call: { tool_name: string; tool_input: object } = bash, more: object = {}) {
  const session_id = `held-${++n}`;
  const hook = (hook_event_name: string, extra: object = {}) =>
    daemon.hook({ session_id, hook_event_name, ...call, ...more, ...extra });
  await hook('PreToolUse', { tool_use_id: `t-${n}` });
  const answer = hook('PermissionRequest');
  await expect.poll(() => pending(session_id)).toHaveLength(1);
  const [approval] = await pending(session_id);
  return { session_id, approval: approval!, answer, hook };
}

describe('a held permission request', () => {
  it('is announced, listed and answered with the decision', async () => {
    const stream = await openSse({ url: daemon.url, token: daemon.localToken });
    const { session_id, approval, answer } = await holdRequest();
    expect(approval).toMatchObject({
      sessionId: session_id,
      kind: 'permission',
      toolName: 'Bash',
      toolInput: bash.tool_input,
      status: 'pending',
    });
    await expect
      .poll(() => stream.messages.find(({ event }) => event === 'approval_request')?.data)
      .toMatchObject({ id: approval.id });
    const decided = await decide(approval.id, { decision: 'allow', updatedInput: { command: 'git push --dry-run' } });
    expect(decided.json).toMatchObject({
      status: 'decided',
      decision: { decision: 'allow', by: expect.stringContaining('This machine') },
    });
    expect((await answer).json).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PermissionRequest',
        decision: { behavior: 'allow', updatedInput: { command: 'git push --dry-run' } },
      },
    });
    await expect
      .poll(() => stream.messages.find(({ event }) => event === 'approval_decided')?.data)
      .toMatchObject({ id: approval.id, status: 'decided' });
    stream.close();
  });

  it('can be denied with a message, ending the turn', async () => {
    const { approval, answer } = await holdRequest();
    await decide(approval.id, { decision: 'deny', message: 'Not on Friday', interrupt: true });
    expect((await answer).json.hookSpecificOutput.decision).toEqual({
      behavior: 'deny',
      message: 'Not on Friday',
      interrupt: true,
    });
  });

  it('goes to the first decision; the second learns who won', async () => {
    const { approval, answer } = await holdRequest();
    const results = await Promise.all([
      decide(approval.id, { decision: 'allow' }),
      decide(approval.id, { decision: 'deny' }),
    ]);
    expect(results.map(({ status }) => status).sort()).toEqual([200, 409]);
    const loser = results.find(({ status }) => status === 409);
    expect(loser?.json.error).toMatchObject({
      code: 'approval.already_decided',
      approval: { decision: { by: expect.stringContaining('This machine') } },
    });
    const winner = results.find(({ status }) => status === 200);
    expect((await answer).json.hookSpecificOutput.decision.behavior).toBe(winner?.json.decision.decision);
  });

  it('is settled if the terminal answers first', async () => {
    const { session_id, approval, answer, hook } = await holdRequest();
    await hook('PostToolUse', { tool_use_id: `t-${n}`, tool_response: {} });
    expect((await answer).json).toEqual({});
    expect((await daemon.call('GET', `/api/approvals/${approval.id}`)).json).toMatchObject({
      status: 'answered_in_terminal',
    });
    expect(await pending(session_id)).toEqual([]);
    expect((await decide(approval.id, { decision: 'allow' })).status).toBe(409);
  });

  it('is not settled by the end of another call', async () => {
    const { session_id, answer, approval } = await holdRequest();
    await daemon.hook({
      session_id,
      hook_event_name: 'PreToolUse',
      tool_name: 'Read',
      tool_input: {},
      tool_use_id: 'other',
    });
    await daemon.hook({
      session_id,
      hook_event_name: 'PostToolUse',
      tool_name: 'Read',
      tool_input: {},
      tool_use_id: 'other',
    });
    expect(await pending(session_id)).toHaveLength(1);
    await decide(approval.id, { decision: 'allow' });
    await answer;
  });

  it('is cancelled when its session ends', async () => {
    const { approval, answer, hook } = await holdRequest();
    await hook('SessionEnd', { reason: 'other' });
    expect((await answer).json).toEqual({});
    expect((await daemon.call('GET', `/api/approvals/${approval.id}`)).json.status).toBe('cancelled');
  });
});

describe('a question and a plan', () => {
  const questions = [
    { question: 'Color?', header: 'C', multiSelect: false, options: [{ label: 'Red' }, { label: 'Blue' }] },
    { question: 'Sizes?', header: 'S', multiSelect: true, options: [{ label: 'S' }, { label: 'M' }] },
  ];

  it('are answered question by question', async () => {
    const { approval, answer } = await holdRequest({ tool_name: 'AskUserQuestion', tool_input: { questions } });
    expect(approval.kind).toBe('question');
    expect((await decide(approval.id, { decision: 'allow' })).json.error.message).toContain('No answer to: Color?');
    expect(
      (await decide(approval.id, { decision: 'allow', answers: { 'Color?': 'Red', 'Sizes?': 'S', 'Other?': 'x' } }))
        .json.error.message,
    ).toContain('Other?');
    await decide(approval.id, { decision: 'allow', answers: { 'Color?': 'something mauve', 'Sizes?': ['S', 'M'] } });
    expect((await answer).json.hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
      updatedInput: { questions, answers: { 'Color?': 'something mauve', 'Sizes?': 'S, M' } },
    });
  });

  it('are approved with an input, or rejected with feedback', async () => {
    const plan = { tool_name: 'ExitPlanMode', tool_input: { plan: '# Plan' } };
    const first = await holdRequest(plan);
    expect(first.approval).toMatchObject({ kind: 'plan', plan: '# Plan' });
    await decide(first.approval.id, { decision: 'allow' });
    expect((await first.answer).json.hookSpecificOutput.decision).toEqual({
      behavior: 'allow',
      updatedInput: { plan: '# Plan' },
    });
    const second = await holdRequest(plan);
    await decide(second.approval.id, { decision: 'deny', message: 'Tests first' });
    expect((await second.answer).json.hookSpecificOutput.decision).toMatchObject({
      behavior: 'deny',
      message: 'Tests first',
    });
  });

  it('refuse an invalid decision and stay pending', async () => {
    const { approval, answer } = await holdRequest();
    for (const body of [
      {},
      { decision: 'maybe' },
      { decision: 'allow', interrupt: true },
      { decision: 'deny', updatedInput: {} },
      { decision: 'allow', answers: { x: 'y' } },
    ]) {
      expect((await decide(approval.id, body)).status).toBe(400);
    }
    expect((await decide('nobody', { decision: 'allow' })).status).toBe(404);
    await decide(approval.id, { decision: 'allow' });
    await answer;
  });
});

describe('the approval routes of the two-way documents', () => {
  const request = { session_id: 'api', tool_name: 'Bash', tool_input: { command: 'npm run build' } };

  it('block until the decision', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${daemon.port}/ws`, {
      headers: { authorization: `Bearer ${daemon.localToken}` },
    });
    // biome-ignore lint/suspicious/noExplicitAny: messages of every shape
    const messages: any[] = [];
    socket.on('message', (data) => messages.push(JSON.parse(String(data))));
    await expect.poll(() => messages.length).toBeGreaterThan(0);
    const answer = daemon.call('POST', '/request-approval', { body: { ...request, correlation_id: 'c-1' } });
    await expect
      .poll(() => messages.find(({ type }) => type === 'approval_request'))
      .toMatchObject({
        session_id: 'api',
        tool_name: 'Bash',
        tool_input: request.tool_input,
        timeout: 30,
        correlation_id: 'c-1',
        created_at: expect.any(String),
      });
    const { request_id } = messages.find(({ type }) => type === 'approval_request');
    expect(
      (await daemon.call('POST', `/tool-decisions/${request_id}/respond`, { body: { decision: 'allow' } })).json,
    ).toEqual({ ok: true, message: 'Decision recorded' });
    expect((await answer).json).toEqual({ decision: 'allow', request_id, correlation_id: 'c-1' });
    expect(
      (await daemon.call('POST', `/tool-decisions/${request_id}/respond`, { body: { decision: 'allow' } })).status,
    ).toBe(404);
    socket.close();
  });

  it('time out as a denial with its reason', async () => {
    const { json } = await daemon.call('POST', '/request-approval', { body: { ...request, timeout: 0.3 } });
    expect(json).toMatchObject({ decision: 'deny', reason: 'timeout' });
  });

  it('poll, and ask twice for one approval', async () => {
    const create = () =>
      daemon.call('POST', '/create-approval-request', { body: { ...request, correlation_id: 'poll-1' } });
    const { request_id } = (await create()).json;
    expect((await create()).json.request_id).toBe(request_id);
    expect((await daemon.call('GET', `/approval-requests/${request_id}/decision?timeout=0.1`)).status).toBe(202);
    const polling = daemon.call('GET', `/approval-requests/${request_id}/decision?timeout=20`);
    await daemon.call('POST', `/approval-requests/${request_id}/decide`, { body: { decision: 'deny', reason: 'no' } });
    expect(await polling).toMatchObject({
      status: 200,
      json: { status: 'denied', decision: 'deny', reason: 'no', correlation_id: 'poll-1' },
    });
    expect(
      (await daemon.call('POST', '/request-approval', { body: { ...request, correlation_id: 'poll-1' } })).json,
    ).toMatchObject({ decision: 'deny', reason: 'no' });
  });

  it('report what is wrong', async () => {
    expect((await daemon.call('POST', '/request-approval', { body: { session_id: 'x' } })).status).toBe(400);
    expect((await daemon.call('POST', '/approval-requests/none/decide', { body: { decision: 'allow' } })).status).toBe(
      404,
    );
    expect((await daemon.call('GET', '/approval-requests/none/decision')).status).toBe(404);
    const { request_id } = (await daemon.call('POST', '/create-approval-request', { body: request })).json;
    expect(
      (await daemon.call('POST', `/approval-requests/${request_id}/decide`, { body: { decision: 'perhaps' } })).status,
    ).toBe(400);
  });
});

describe('two deciders', () => {
  it('race a thousand times, and exactly one wins each', async () => {
    const outcomes = [];
    for (let round = 0; round < 1000; round++) {
      const { request_id } = (
        await daemon.call('POST', '/create-approval-request', { body: { session_id: 'race', tool_name: 'Bash' } })
      ).json;
      const tries = await Promise.all(['allow', 'deny'].map((decision) => decide(request_id, { decision })));
      const won = tries.filter(({ status }) => status === 200);
      outcomes.push(
        won.length === 1 &&
          tries.some(({ status }) => status === 409) &&
          (await daemon.call('GET', `/api/approvals/${request_id}`)).json.decision.decision ===
            won[0]?.json.decision.decision,
      );
    }
    expect(outcomes.filter((isRight) => !isRight)).toEqual([]);
  });
});
