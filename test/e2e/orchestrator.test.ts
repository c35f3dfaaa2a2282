import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { MessagesRequest } from '../kit/conversation.ts';
import { cleanEnv } from '../kit/daemon-process.ts';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { operatorOf } from '../kit/operator-tokens.ts';
import { startInteractive } from '../kit/real-client.ts';
import { gctlBinary } from '../kit/run-gctl.ts';
import { callTool, say } from '../kit/scripted-answer.ts';
import { waitFor } from '../kit/wait.ts';

const LONG = 'until [ -f go ]; do sleep 0.1; done';
/** The messages of a request as text. */
const promptsIn = ({ messages }: MessagesRequest): string => JSON.stringify(messages);
const countIn = (request: MessagesRequest, text: string): number => promptsIn(request).split(text).length - 1;
const big = { usage: { input_tokens: 6000, output_tokens: 100 } };
let orchestra: DaemonWithRunners;

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    { when: 'say hello', reply: [say('Hello.')] },
    { when: 'make a file', reply: [callTool('Bash', { command: 'touch made.txt' }), say('Made it.')] },
    { when: 'write one', reply: [callTool('Write', { file_path: 'ONE', content: 'one' }), say('Wrote one.')] },
    {
      when: 'what did I say',
      reply: [(request) => say(promptsIn(request).includes('say hello') ? 'Hello' : 'Nothing')],
    },
    { when: 'run long', reply: [callTool('Bash', { command: LONG }), say('It went.')] },
    {
      when: 'spend',
      reply: [
        callTool('Bash', { command: 'echo 1' }, big),
        callTool('Bash', { command: 'echo 2' }, big),
        callTool('Bash', { command: 'echo 3' }, big),
        say('Spent.', big),
      ],
    },
    { when: "doesn't match the schema", reply: [say('{"count": 3}')] },
    { when: 'give a number', reply: [say('three')] },
    { when: '<agent-callback', reply: [(request) => say(`Told of ${countIn(request, '<agent-callback session')}.`)] },
    { when: 'begin as parent', reply: [callTool('Bash', { command: LONG }), say('Parent done.')] },
    { when: 'fail', reply: [{ kind: 'api-error', status: 400, type: 'invalid_request_error', message: 'no good' }] },
  ]);
});
afterAll(() => orchestra?.dispose());

const approvalOf = (id: string) =>
  waitFor(async () => (await orchestra.pending(id))[0], { what: 'an approval', timeout: 60_000 });

test('a session runs to its answer, is on the board once, and an approval lets its call run', async () => {
  const { id } = await orchestra.start({ name: 'asks', prompt: 'make a file' });
  const approval = await approvalOf(id);
  expect((await orchestra.view(id)).agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
  const { json } = await orchestra.call('GET', '/api/sessions');
  expect(json.sessions.filter((one: { id: string }) => one.id === id)).toHaveLength(1);
  expect(await orchestra.view(id)).toMatchObject({ driver: { kind: 'runner' }, orchestration: { name: 'asks' } });
  const { json: decided } = await orchestra.decide(approval.id, { decision: 'allow' });
  expect(decided).toMatchObject({ delivery: { state: 'delivered' } });
  await orchestra.reaches(id, 'succeeded');
  expect(existsSync(join(orchestra.project, 'made.txt'))).toBe(true);
  expect(await orchestra.result('asks')).toMatchObject({ text: 'Made it.', lifecycle: 'succeeded', problems: [] });
  // its own hooks reported the same, and nothing is there twice
  const events = (await orchestra.call('GET', `/api/sessions/${id}/events?limit=1000`)).json.events as {
    name: string;
  }[];
  const names = events.map(({ name }) => name);
  for (const once of ['session.started', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop'])
    expect(names.filter((name) => name === once)).toHaveLength(1);
  expect(names).not.toContain('PermissionRequest');
});

test('gctl new prints the answer, resume keeps the context, fork starts a separate session', async () => {
  const first = await orchestra.gctl(['new', 'chat', '-p', 'say hello', '--wait']);
  expect(first).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect((await orchestra.gctl(['new', 'chat', '-p', 'again'])).stderr).toContain('A session "chat" already exists');
  const resumed = await orchestra.gctl(['resume', 'chat', '-p', 'what did I say', '--wait']);
  expect(resumed).toMatchObject({ code: 0, stdout: 'Hello\n' });
  expect((await orchestra.get('chat')).lastResumedAt).toEqual(expect.any(Number));
  const forked = await orchestra.gctl(['fork', 'chat', '--name', 'other', '-p', 'what did I say', '--wait']);
  expect(forked).toMatchObject({ code: 0, stdout: 'Hello\n' });
  const [chat, other] = [await orchestra.get('chat'), await orchestra.get('other')];
  expect(other.id).not.toBe(chat.id);
  const { stdout: list } = await orchestra.gctl(['list']);
  expect(list).toMatch(/other\s+succeeded/);
  expect((await orchestra.gctl(['status', 'chat'])).stdout).toMatch(/chat\s+succeeded/);
  expect((await orchestra.gctl(['logs', '-f', 'chat'])).stdout).toContain('Hello.');
  expect((await orchestra.gctl(['ao-status', 'chat'])).stdout).toBe('finished\n');
  expect((await orchestra.gctl(['ao-status', 'nobody'])).stdout).toBe('not_existent\n');
  expect(await orchestra.gctl(['delete', 'other'])).toMatchObject({ code: 0 });
  expect((await orchestra.gctl(['result', 'other'])).code).toBe(1);
  expect((await orchestra.gctl(['new', 'bad name', '-p', 'x'])).stderr).toContain('1 to 60 letters');
});

test('rewind goes back to before a prompt, with the files of that moment', async () => {
  await orchestra.gctl(['new', 'back', '-p', 'say hello', '--wait', '--allow', 'Write']);
  const file = join(orchestra.project, 'ONE');
  writeFileSync(file, 'before');
  await orchestra.gctl(['resume', 'back', '-p', 'write one', '--wait']);
  expect(readFileSync(file, 'utf8')).toBe('one');
  const { stdout: prompts } = await orchestra.gctl(['logs', '--ids', 'back']);
  const [id] = prompts
    .split('\n')
    .find((line) => line.includes('write one'))!
    .split(' ');
  const rewound = await orchestra.gctl(['rewind', 'back', '--to', id!, '-p', 'what did I say', '--wait']);
  expect(rewound).toMatchObject({ code: 0, stdout: 'Hello\n' });
  expect(readFileSync(file, 'utf8')).toBe('before');
  const last = orchestra.api.requests.findLast(({ kind }) => kind === 'turn')!.body;
  expect(promptsIn(last)).not.toContain('write one');
  rmSync(file);
});

test('stop ends the turn and its tool; cancel leaves no process', async () => {
  const { id } = await orchestra.start({ name: 'long', prompt: 'run long', allowedTools: ['Bash'] });
  const toolsOf = async () => (await orchestra.call('GET', `/api/sessions/${id}/processes`)).json;
  await waitFor(async () => (await toolsOf()).toolPids.length > 0, { what: 'the tool to run', timeout: 60_000 });
  const { pids } = await toolsOf();
  const stopped = await orchestra.gctl(['stop', 'long']);
  expect(stopped).toMatchObject({ code: 0, stdout: expect.stringContaining('stopped') });
  expect((await toolsOf()).toolPids).toEqual([]);
  expect(await orchestra.reaches(id, 'cancelled')).toMatchObject({ error: null, hasRunner: true });
  await orchestra.call('POST', `/api/sessions/${id}/cancel`);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  expect(await orchestra.get(id)).toMatchObject({ hasRunner: false });
});

test('a budget asks before the request that would exceed it', async () => {
  const { id } = await orchestra.start({
    name: 'thrifty',
    prompt: 'spend',
    model: 'claude-sonnet-4-5',
    allowedTools: ['Bash'],
    budget: { dollars: 0.05 },
  });
  const turns = () =>
    orchestra.api.requests.filter(({ kind, turn }) => kind === 'turn' && turn.prompt.includes('spend'));
  const approval = await approvalOf(id);
  // 6,000 tokens at $3 and 100 at $15 a million: $0.0195 each. The third would exceed $0.05
  expect(turns()).toHaveLength(2);
  expect((await orchestra.view(id)).agentState).toMatchObject({ group: 'needs_you', state: 'budget_exceeded' });
  const { toolInput } = (await orchestra.call('GET', `/api/approvals/${approval.id}`)).json;
  const [{ question, options }] = toolInput.questions;
  expect(question).toContain('$0.039 of its budget of $0.05');
  await orchestra.decide(approval.id, { decision: 'allow', answers: { [question]: options[0].label } });
  await orchestra.reaches(id, 'succeeded');
  expect(turns()).toHaveLength(4);
  expect((await orchestra.get(id)).spent.dollars).toBeCloseTo(0.078, 3);
});

test('an answer that does not fit its schema is asked for again, once', async () => {
  const resultSchema = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] };
  const { id } = await orchestra.start({ name: 'number', prompt: 'give a number', resultSchema });
  await orchestra.reaches(id, 'succeeded', 'failed');
  expect(await orchestra.result(id)).toMatchObject({ lifecycle: 'succeeded', json: { count: 3 } });
});

test('reports a model refusal as a failure, with its reason and exit code', async () => {
  const failed = await orchestra.gctl(['new', 'fails', '-p', 'fail', '--wait']);
  expect(failed.code).toBe(1);
  expect(failed.stderr).toContain('no good');
});

test('Ctrl-C during --wait detaches, and the session keeps running', async () => {
  const dataHome = join(orchestra.runnersDir, '..', '..');
  const env = cleanEnv(dataHome, { GROUNDCONTROL_TOKEN: operatorOf(join(dataHome, '.groundcontrol'))! });
  const args = [gctlBinary, 'new', 'let-go', '-p', 'run long', '--allow', 'Bash', '--wait'];
  const child = spawn(process.execPath, args, { cwd: orchestra.project, env, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (data) => {
    said += data;
  });
  await waitFor(async () => (await orchestra.get('let-go').catch(() => undefined))?.lifecycle === 'running', {
    what: 'the session to run',
    timeout: 60_000,
  });
  child.kill('SIGINT');
  await waitFor(() => child.exitCode !== null, { what: 'gctl to end' });
  expect(said).toContain('gctl wait let-go');
  writeFileSync(join(orchestra.project, 'go'), '');
  expect(await orchestra.gctl(['wait', 'let-go'])).toMatchObject({ code: 0, stdout: 'let-go  succeeded\n' });
});

test("a terminal's session can be resumed from here once its terminal has closed", async () => {
  const client = await startInteractive(orchestra.home);
  const id = await client.sessionId();
  await client.prompt('say hello');
  await waitFor(async () => (await orchestra.view(id)).lastAgentMessage === 'Hello.', {
    what: 'its answer',
    timeout: 60_000,
  });
  expect((await orchestra.call('POST', `/api/sessions/${id}/resume`, { prompt: 'what did I say' })).status).toBe(409);
  await client.dispose();
  await waitFor(async () => (await orchestra.view(id)).endedAt !== null, { what: 'its end', timeout: 60_000 });
  const { status } = await orchestra.call('POST', `/api/sessions/${id}/resume`, { prompt: 'what did I say' });
  expect(status).toBe(200);
  await orchestra.reaches(id, 'succeeded');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Hello' });
});

test('files for scripts are written to the sessions dir', async () => {
  const dir = join(orchestra.project, '..', 'sessions');
  const env = { AGENT_ORCHESTRATOR_SESSIONS_DIR: dir, AGENT_ORCHESTRATOR_ENABLE_LOGGING: 'true' };
  const ran = await orchestra.gctl(['ao-new', 'old-script', '-p', 'say hello'], { env });
  expect(ran).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  const { id } = await orchestra.get('old-script');
  const meta = JSON.parse(readFileSync(join(dir, 'old-script.meta.json'), 'utf8'));
  expect(meta).toMatchObject({ session_name: 'old-script', session_id: id, project_dir: orchestra.project });
  const lines = readFileSync(join(dir, 'old-script.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(expect.arrayContaining(['user', 'assistant', 'result']));
  expect(existsSync(join(dir, 'old-script.log'))).toBe(true);
  execFileSync('rm', ['-r', dir]);
});

test('reports all children that ended while their parent was busy in one prompt, even after a kill', async () => {
  rmSync(join(orchestra.project, 'go'), { force: true });
  const parent = await orchestra.start({ name: 'parent', prompt: 'begin as parent', allowedTools: ['Bash'] });
  await orchestra.reaches(parent.id, 'running');
  const child = { prompt: 'say hello', parentId: parent.id, callback: true };
  for (const name of ['child-1', 'child-2']) await orchestra.start({ ...child, name });
  for (const name of ['child-1', 'child-2'])
    expect(await orchestra.reaches(name, 'succeeded')).toMatchObject({ depth: 1, callback: 'due' });
  await orchestra.daemon.kill('SIGKILL');
  writeFileSync(join(orchestra.project, 'go'), '');
  await orchestra.restart();
  await waitFor(async () => (await orchestra.result('parent')).text === 'Told of 2.', {
    what: 'the parent to be told',
    timeout: 90_000,
  });
  for (const name of ['child-1', 'child-2']) expect(await orchestra.get(name)).toMatchObject({ callback: 'sent' });
  rmSync(join(orchestra.project, 'go'));
});

test('a message reaches a session that runs, and resumes one that has no process', async () => {
  const { id } = await orchestra.start({ name: 'spoken-to', prompt: 'say hello' });
  await orchestra.reaches(id, 'succeeded');
  const first = await orchestra.call('POST', '/api/sessions/spoken-to/messages', { text: 'what did I say' });
  expect(first).toMatchObject({ status: 200, json: { prompt: { sessionId: id }, session: null } });
  await waitFor(async () => (await orchestra.view(id)).lastAgentMessage === 'Hello', {
    what: 'its answer',
    timeout: 60_000,
  });
  await orchestra.call('POST', `/api/sessions/${id}/cancel`);
  const second = await orchestra.call('POST', `/api/sessions/${id}/messages`, { text: 'what did I say' });
  expect(second).toMatchObject({ status: 200, json: { prompt: null, session: { id } } });
  await orchestra.reaches(id, 'succeeded');
  expect((await orchestra.call('POST', '/api/sessions/nobody/messages', { text: 'x' })).status).toBe(404);
});

test("rules files of the agent orchestrator become the session's rules", async () => {
  const { id } = await orchestra.start({ name: 'ruled', prompt: 'say hello' });
  const file = join(orchestra.project, 'ruled.rules.json');
  const rule = (priority: number, command: string, decision: string) => ({
    ...{ id: `uuid-${priority}`, priority, enabled: true, decision, reason: command },
    pattern: { tool_name: 'Bash', parameters: { command } },
  });
  const rules = [rule(1, 'npm run *', 'allow'), rule(2, 'npm publish*', 'deny')];
  writeFileSync(file, JSON.stringify({ version: '1.0', updated_at: '2025-11-25', rules }));
  const imported = await orchestra.gctl(['rules', 'import', file]);
  expect(imported).toMatchObject({ code: 0, stdout: 'Imported 2 rules.\n' });
  const { json } = await orchestra.call('GET', '/api/rules');
  const own = json.rules.filter(({ sessionId }: { sessionId?: string }) => sessionId === id);
  expect(own).toMatchObject([
    { decision: 'allow', priority: -1, pattern: { toolName: 'Bash', parameters: { command: 'npm run *' } } },
    { decision: 'deny', priority: -2 },
  ]);
  rmSync(file);
});

test("MCP servers of a project's blueprint start only after the operator has consented", async () => {
  const folder = join(orchestra.project, '.groundcontrol', 'agents', 'helper');
  mkdirSync(folder, { recursive: true });
  const started = join(orchestra.project, 'SERVER');
  writeFileSync(join(folder, 'agent.json'), JSON.stringify({ name: 'helper', description: 'Helps' }));
  const server = { command: '/bin/sh', args: ['-c', `touch ${started}`] };
  writeFileSync(join(folder, 'agent.mcp.json'), JSON.stringify({ mcpServers: { evil: server } }));
  const refused = await orchestra.gctl(['new', 'helped', '--agent', 'helper', '-p', 'say hello', '--wait']);
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('starts MCP servers (evil)') });
  expect(existsSync(started)).toBe(false);
  const [, fingerprint = ''] = /--consent (\w+)/.exec(refused.stderr) ?? [];
  const args = ['new', 'helped', '--agent', 'helper', '-p', 'say hello', '--wait'];
  expect(await orchestra.gctl([...args, '--consent', 'wrong'])).toMatchObject({ code: 1 });
  expect(await orchestra.gctl([...args, '--consent', fingerprint])).toMatchObject({ code: 0, stdout: 'Hello.\n' });
  expect(existsSync(started)).toBe(true);
  // a changed server asks again
  writeFileSync(
    join(folder, 'agent.mcp.json'),
    JSON.stringify({ mcpServers: { evil: { ...server, args: ['-c', 'id'] } } }),
  );
  args[1] = 'helped-again';
  expect(await orchestra.gctl(args)).toMatchObject({ code: 1, stderr: expect.stringContaining('--consent') });
  rmSync(join(orchestra.project, '.groundcontrol'), { recursive: true });
});

test('two sessions that write the same file are flagged on both', async () => {
  const spec = { prompt: 'write one', allowedTools: ['Write'] };
  const [one, two] = [
    await orchestra.start({ name: 'left', ...spec }),
    await orchestra.start({ name: 'right', ...spec }),
  ];
  const collides = async (id: string, other: string) =>
    (await orchestra.view(id)).collisions.some((collision) => JSON.stringify(collision).includes(other));
  await waitFor(async () => (await collides(one.id, two.id)) && (await collides(two.id, one.id)), {
    what: 'both to be flagged',
    timeout: 60_000,
    context: async () => [await orchestra.view(one.id), await orchestra.view(two.id)],
  });
  for (const { id } of [one, two]) await orchestra.call('POST', `/api/sessions/${id}/cancel`);
});
