import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../../../../../test/kit/test-daemon.ts';
import { StrictProject } from '../../../../contract/projects.ts';

let daemon: TestDaemon;
let project: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  project = realpathSync(mkdtempSync(join(tmpdir(), 'gc-project-')));
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(project, { recursive: true, force: true });
});

const put = (body: unknown) => daemon.call('PUT', '/api/projects/strict', { body });
const list = async () => (await daemon.call('GET', '/api/projects/strict')).json.projects;
const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'git push' } };

/** As the client asks in a strict project: by the user's settings and by the project's, at once. */
function askTwice(session_id: string, tool_use_id: string) {
  const headers = { 'x-groundcontrol-token': daemon.hookToken };
  const body = { ...call, session_id, tool_use_id };
  const path = '/api/live/hook/strict?if-this-fails=start-ground-control-with-gctl-up';
  return [daemon.hook(body), daemon.call('POST', path, { token: false, headers, body })] as const;
}

describe('/api/projects/strict', () => {
  it('turns strict mode on and off', async () => {
    expect(await list()).toEqual([]);
    const { status, json } = await put({ path: project, strict: true });
    expect(status).toBe(200);
    expect(StrictProject.parse(json)).toMatchObject({ path: project, state: 'on' });
    expect(await list()).toMatchObject([{ path: project, state: 'on' }]);
    expect((await put({ path: project, strict: false })).json).toMatchObject({ state: 'off' });
    expect(await list()).toEqual([]);
  });

  it.each([
    ['a folder that is not there', { path: '/nonexistent/project', strict: true }, 404, 'project.no_folder'],
    ['a relative path', { path: 'project', strict: true }, 400, 'project.relative'],
    ['no answer', { path: '/w' }, 400, 'request.invalid'],
  ])('refuses %s', async (_what, body, status, code) => {
    const answer = await put(body);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });
});

describe('a call in a strict project', () => {
  it('is recorded once, and both callers get the same answer', async () => {
    await put({ path: project, strict: true });
    const answers = await Promise.all(askTwice('twice', 't1'));
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, '{}'],
      [200, '{}'],
    ]);
    const { events } = (await daemon.call('GET', '/api/sessions/twice/events')).json;
    expect(events.map(({ name }: { name: string }) => name)).toEqual(['PreToolUse']);
  });

  it('is evaluated once, and both callers get the verdict', async () => {
    const pattern = { toolName: 'Bash', parameters: { command: 'git push*' } };
    const rule = { scope: 'global', pattern, decision: 'deny', reason: 'Nothing is pushed' };
    await daemon.call('POST', '/api/rules', { body: rule });
    const [one, two] = await Promise.all(askTwice('judged', 't2'));
    expect(one.json.hookSpecificOutput).toMatchObject({
      permissionDecision: 'deny',
      permissionDecisionReason: 'Nothing is pushed',
    });
    expect(two.json).toEqual(one.json);
    const { entries } = (await daemon.call('GET', '/api/audit?sessionId=judged')).json;
    expect(entries).toMatchObject([{ action: 'rule.applied', outcome: 'deny' }]);
  });

  it('needs the token like any hook', async () => {
    const answer = await daemon.call('POST', '/api/live/hook/strict', { token: false, body: call });
    expect(answer.status).toBe(401);
  });

  it('is sent to the new address after a restart', async () => {
    const { folder } = daemon;
    await daemon.stop();
    daemon = await startTestDaemon({ folder });
    expect(await list()).toMatchObject([{ path: project, state: 'on' }]);
    const [, byProject] = askTwice('after', 't3');
    expect((await byProject).json.hookSpecificOutput).toMatchObject({ permissionDecision: 'deny' });
  });
});
