import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
/** What the model is asked to answer to. */
const promptsIn = ({ messages }: MessagesRequest): string => JSON.stringify(messages);
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
  // its own hooks told the same, and nothing is there twice
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

test('a budget asks before the request that would pass it', async () => {
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
  // 6,000 tokens at $3 and 100 at $15 a million: $0.0195 each. The third would pass $0.05
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

test('what the model refuses is a failure, with its reason and exit code', async () => {
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
