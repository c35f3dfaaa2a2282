import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { openSse } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import type { Approval } from '../../contract/approvals.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
afterEach(() => setAway(false));

let n = 0;
const HEADLESS = { 'x-groundcontrol-entrypoint': 'sdk-cli' };
const setAway = (away: boolean) => daemon.call('PUT', '/api/away', { body: { away } });
const approvalsOf = async (sessionId: string): Promise<Approval[]> =>
  (await daemon.call('GET', `/api/approvals?sessionId=${sessionId}`)).json.approvals;
const decide = (id: string, body: unknown) => daemon.call('POST', `/api/approvals/${id}/decision`, { body });
const release = (id: string) => daemon.call('POST', `/api/approvals/${id}/release`, { body: {} });

/** A page with an open stream, and what it says of its person. */
async function openTab(tab = `tab-${++n}`) {
  const stream = await openSse({ url: daemon.url, token: daemon.localToken, query: `?tab=${tab}` });
  onTestFinished(() => void stream.close());
  const report = async (visible: boolean, inputAgoMs: number | null) =>
    (await daemon.call('POST', '/api/presence', { body: { tab, visible, inputAgoMs } })).json.presence;
  return { report, stream };
}

const call = { tool_name: 'Bash', tool_input: { command: 'touch x' } };
function newSession(headers: Record<string, string> = {}, more: object = {}) {
  const session_id = `s-${++n}`;
  const hook = (hook_event_name: string, extra: object = {}) =>
    daemon.hook({ session_id, hook_event_name, ...more, ...extra }, headers);
  return {
    session_id,
    hook,
    async ask() {
      await hook('PreToolUse', { ...call, tool_use_id: `t-${session_id}` });
      return hook('PermissionRequest', call);
    },
    async pending(): Promise<Approval> {
      await expect
        .poll(async () => (await approvalsOf(session_id)).some(({ status }) => status === 'pending'))
        .toBe(true);
      return (await approvalsOf(session_id))[0]!;
    },
  };
}

describe('a headless run', () => {
  it('gets its client’s answer immediately if no operator is present, and the audit says so', async () => {
    const { session_id, ask } = newSession(HEADLESS);
    expect((await ask()).json).toEqual({});
    expect(await approvalsOf(session_id)).toMatchObject([
      {
        status: 'released',
        releaseTo: 'client',
        closedWhy: expect.stringContaining('Nobody was at a Ground Control page'),
      },
    ]);
    const { entries } = (await daemon.call('GET', `/api/audit?sessionId=${session_id}`)).json;
    expect(entries).toMatchObject([
      { action: 'approval.released', outcome: 'released', by: 'control', detail: expect.stringContaining('denies') },
    ]);
  });

  it('is not held for a hidden page, or one without input', async () => {
    const { report } = await openTab();
    expect(await report(true, null)).toBe('idle');
    expect((await newSession(HEADLESS).ask()).json).toEqual({});
    expect(await report(false, 0)).toBe('none');
    expect((await newSession(HEADLESS).ask()).json).toEqual({});
  });

  it('is held while someone is at a page, and returned soon after they leave', async () => {
    const { report } = await openTab();
    expect(await report(true, 0)).toBe('active');
    const { ask, pending, session_id } = newSession(HEADLESS);
    const answer = ask();
    const { releaseAt, createdAt, releaseTo } = await pending();
    expect([releaseAt! - createdAt, releaseTo]).toEqual([expect.toSatisfy(about(1_800_000)), 'client']);
    await report(false, 0);
    expect((await answer).json).toEqual({});
    expect(await approvalsOf(session_id)).toMatchObject([
      { status: 'released', closedWhy: expect.stringMatching(/anymore\..*denies/) },
    ]);
  });

  it('is held for an operator who is away, for the configured time', async () => {
    await setAway(true);
    const { ask, pending } = newSession(HEADLESS);
    const answer = ask();
    await decide((await pending()).id, { decision: 'allow' });
    expect((await answer).json.hookSpecificOutput.decision.behavior).toBe('allow');
    expect((await daemon.call('PUT', '/api/hold', { body: { holdSeconds: 5 } })).json).toEqual({
      holdSeconds: 5,
      away: true,
      presence: expect.any(String),
    });
    const late = newSession(HEADLESS);
    const lateAnswer = late.ask();
    const { releaseAt, createdAt } = await late.pending();
    expect(releaseAt! - createdAt).toSatisfy(about(5000));
    expect((await lateAnswer).json).toEqual({});
    expect(await approvalsOf(late.session_id)).toMatchObject([
      { status: 'released', closedWhy: expect.stringContaining('within the hold time') },
    ]);
    for (const holdSeconds of [0, 4, 86_400, 7.5])
      expect((await daemon.call('PUT', '/api/hold', { body: { holdSeconds } })).status).toBe(400);
    await daemon.call('PUT', '/api/hold', { body: { holdSeconds: 1800 } });
  });
});

const about = (ms: number) => (found: number) => Math.abs(found - ms) < 1000;

describe('a rule that asks, in a headless run', () => {
  const askRule = { pattern: { toolName: 'Deploy' }, decision: 'ask' };
  const deploy = { tool_name: 'Deploy', tool_input: { to: 'production' }, tool_use_id: 'd1' };
  beforeAll(async () => {
    await daemon.call('POST', '/api/rules', { body: askRule });
  });

  it('denies with the reason and how to allow it when no operator is present', async () => {
    const { hook, session_id } = newSession(HEADLESS);
    const { hookSpecificOutput } = (await hook('PreToolUse', deploy)).json;
    expect(hookSpecificOutput).toMatchObject({ hookEventName: 'PreToolUse', permissionDecision: 'ask' });
    expect(hookSpecificOutput.permissionDecisionReason).toMatch(/Asked by rule .*Nobody answered.*gctl away on/s);
    expect(await approvalsOf(session_id)).toMatchObject([{ status: 'released', ruleId: expect.any(String) }]);
    expect((await daemon.session(session_id)).agentState.group).toBe('autonomous');
  });

  it('holds the call for an operator who is away, and shows the session as waiting until it is decided', async () => {
    await setAway(true);
    const { hook, pending, session_id } = newSession(HEADLESS);
    const answer = hook('PreToolUse', deploy);
    const approval = await pending();
    expect(approval).toMatchObject({ kind: 'permission', toolUseId: 'd1', releaseTo: 'client' });
    expect((await daemon.session(session_id)).agentState).toMatchObject({
      group: 'needs_you',
      state: 'needs_permission',
    });
    // another event of the session, and a client that says it is busy, change nothing
    await hook('Notification', { message: 'x' });
    expect((await approvalsOf(session_id))[0]).toMatchObject({ status: 'pending' });
    await decide(approval.id, { decision: 'allow', updatedInput: { to: 'staging' } });
    expect((await answer).json.hookSpecificOutput).toEqual({
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      permissionDecisionReason: expect.any(String),
      updatedInput: { to: 'staging' },
    });
    await expect.poll(async () => (await daemon.session(session_id)).agentState.group).toBe('autonomous');
    const { entries } = (await daemon.call('GET', `/api/audit?sessionId=${session_id}`)).json;
    expect(entries.map(({ action, outcome }: { action: string; outcome: string }) => [action, outcome])).toEqual([
      ['approval.decided', 'allow'],
      ['approval.delivered', 'delivered'],
    ]);
  });

  it('can be denied with a reason, ending the turn', async () => {
    await setAway(true);
    const { hook, pending } = newSession(HEADLESS);
    const answer = hook('PreToolUse', deploy);
    await decide((await pending()).id, { decision: 'deny', message: 'Not today', interrupt: true });
    expect((await answer).json).toMatchObject({
      continue: false,
      hookSpecificOutput: { permissionDecision: 'deny', permissionDecisionReason: 'Not today' },
    });
  });

  it('is left to the client if the client can ask a person', async () => {
    await setAway(true);
    for (const headers of [{}, { 'x-groundcontrol-entrypoint': 'cli' }, { 'x-groundcontrol-entrypoint': 'sdk-ts' }]) {
      const { hookSpecificOutput } = (await newSession(headers).hook('PreToolUse', deploy)).json;
      expect(hookSpecificOutput).toMatchObject({ permissionDecision: 'ask' });
      expect(hookSpecificOutput.permissionDecisionReason).not.toContain('Nobody');
    }
  });
});

describe('a request that its terminal does not show while it is held', () => {
  const subagent = { agent_id: 'a1', agent_type: 'Explore' };

  it('is returned immediately when no page is visible', async () => {
    const { ask, session_id } = newSession({}, subagent);
    expect((await ask()).json).toEqual({});
    expect(await approvalsOf(session_id)).toMatchObject([
      { status: 'released', releaseTo: 'terminal', closedWhy: expect.stringContaining('terminal is asking now') },
    ]);
  });

  it('is shown briefly on a visible page without input, and held once there is some', async () => {
    const { report } = await openTab();
    await report(true, null);
    const { ask, pending } = newSession({}, subagent);
    const answer = ask();
    const { id } = await pending();
    await report(true, 0);
    await sleep(1000);
    await decide(id, { decision: 'deny' });
    expect((await answer).json.hookSpecificOutput.decision.behavior).toBe('deny');
  });

  it('is held by the one of two tabs that is visible, and goes back when that one dies', async () => {
    const hidden = await openTab();
    const visible = await openTab();
    await visible.report(true, 0);
    await hidden.report(false, 0);
    const elicitation = { mcp_server_name: 'asker', message: 'Name?', requested_schema: { type: 'object' } };
    const { hook, pending, session_id } = newSession();
    const answer = hook('Elicitation', elicitation);
    expect(await pending()).toMatchObject({ kind: 'elicitation', releaseTo: 'terminal' });
    // no word of goodbye: its stream breaks, and that is all
    visible.stream.close();
    expect((await answer).json).toEqual({});
    expect(await approvalsOf(session_id)).toMatchObject([{ status: 'released' }]);
  });

  it('has no limit if the terminal shows its dialog', async () => {
    const { ask, pending } = newSession();
    const answer = ask();
    const approval = await pending();
    expect([approval.releaseAt, approval.releaseTo]).toEqual([undefined, undefined]);
    await decide(approval.id, { decision: 'allow' });
    await answer;
  });
});

describe('returning a request', () => {
  it('lets the client continue undecided, once, by name', async () => {
    await setAway(true);
    const { ask, pending, session_id } = newSession({}, { agent_id: 'a1' });
    const answer = ask();
    const { id } = await pending();
    expect((await release(id)).json).toMatchObject({
      status: 'released',
      closedBy: expect.stringContaining('This machine'),
      closedWhy: expect.stringContaining('terminal is asking now'),
    });
    expect((await answer).json).toEqual({});
    expect((await release(id)).status).toBe(409);
    expect((await decide(id, { decision: 'allow' })).json.error.code).toBe('approval.already_decided');
    const { entries } = (await daemon.call('GET', `/api/audit?sessionId=${session_id}&by=This+machine`)).json;
    expect(entries).toMatchObject([{ action: 'approval.released', by: expect.stringContaining('This machine') }]);
  });

  it('is refused for API requests and unknown ids', async () => {
    const body = { session_id: 'api', tool_name: 'Bash', timeout: 60 };
    const { request_id } = (await daemon.call('POST', '/create-approval-request', { body })).json;
    expect(await release(request_id)).toMatchObject({
      status: 409,
      json: { error: { code: 'approval.not_releasable' } },
    });
    expect((await release('nobody')).status).toBe(404);
  });

  it('races with a decision, and one of them wins', async () => {
    await setAway(true);
    for (let round = 0; round < 20; round++) {
      const { ask, pending } = newSession({}, { agent_id: 'a1' });
      const answer = ask();
      const { id } = await pending();
      const tries = await Promise.all([release(id), decide(id, { decision: 'allow' })]);
      expect(tries.map(({ status }) => status).sort()).toEqual([200, 409]);
      const isReleased = tries[0].status === 200;
      expect((await answer).json).toEqual(isReleased ? {} : { hookSpecificOutput: expect.anything() });
    }
  });
});

it("a viewer's page does not count as presence", async () => {
  const { code } = (await daemon.call('POST', '/api/links', { body: { role: 'viewer', name: 'Guest' } })).json;
  const { token } = (await daemon.call('POST', '/api/pair', { token: false, body: { code } })).json;
  const answer = await daemon.call('POST', '/api/presence', {
    token,
    body: { tab: 'v', visible: true, inputAgoMs: 0 },
  });
  expect(answer).toMatchObject({ status: 200, json: { presence: 'none' } });
});
