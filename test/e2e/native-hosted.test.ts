import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type DaemonWithRunners, startDaemonWithRunners } from '../kit/daemon-with-runners.ts';
import { isAlive } from '../kit/processes.ts';
import { gctlBinary } from '../kit/run-gctl.ts';
import { callTool, live, say, together } from '../kit/scripted-answer.ts';
import { validateConversation } from '../kit/validate-conversation.ts';
import { waitFor } from '../kit/wait.ts';

let orchestra: DaemonWithRunners;
/** The session of the first test, which the second continues. */
let fixed = '';

interface UsageRow {
  key: string;
  tokens: { outputTokens: number };
}
const server = 'echo serving; echo careful >&2; echo $$ > server.pid; while true; do sleep 0.1; done';
const shellIn = (request: { messages: unknown }) =>
  /shell ID: (sh-\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? 'none';

beforeAll(async () => {
  orchestra = await startDaemonWithRunners([
    {
      when: 'fix the sum',
      reply: [
        together(say('Looking at it.'), callTool('Read', { file_path: 'sum.js' })),
        callTool('Edit', { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' }),
        callTool('Bash', { command: 'node sum.js' }),
        callTool('Bash', { command: server }),
        callTool('AskUserQuestion', {
          questions: [{ question: 'Stop the server?', header: 'Server', options: [{ label: 'Yes' }, { label: 'No' }] }],
        }),
        (request) => callTool('KillShell', { shell_id: shellIn(request) }),
        say('Fixed the pelican sum.'),
      ],
    },
    { when: 'what did you do', reply: [say('I fixed it.')] },
    {
      when: 'run and wait',
      reply: [
        callTool('Bash', { command: 'echo out; echo err >&2; while [ ! -e go ]; do sleep 0.1; done' }),
        say('Went on.'),
      ],
    },
    { when: 'deny me', reply: [callTool('Bash', { command: 'touch denied.txt' }), say('As you wish.')] },
    { when: 'kill me', reply: [callTool('Bash', { command: 'touch killed.txt' }), say('Understood.')] },
    { when: 'edit me', reply: [callTool('Bash', { command: 'touch wrong.txt' }), say('Ran it.')] },
    { when: 'background me', reply: [callTool('Bash', { command: 'echo behind; sleep 300' }), say('It runs.')] },
    {
      when: 'leave loops',
      reply: [
        callTool('Bash', { command: 'echo $$ > left.pid; while true; do sleep 0.1; done', run_in_background: true }),
        callTool('Bash', { command: 'echo $$ > right.pid; (setsid sleep 300 &) ; while true; do sleep 0.1; done' }),
      ],
    },
    { when: 'what was left', reply: [callTool('Read', { file_path: 'sum.js' }), say('Two loops.')] },
    {
      when: 'break out',
      reply: [
        callTool('Bash', { command: `script -qec '${process.execPath} ${gctlBinary} away on' /dev/null; true` }),
        callTool('Bash', {
          command: `setsid script -qec '${process.execPath} ${gctlBinary} away on' /dev/null > out.txt 2>&1 < /dev/null & sleep 3; cat out.txt`,
        }),
        say('Tried.'),
      ],
    },
    { when: 'think long', reply: [live((answer) => answer.openText('thinking about it '))] },
    {
      when: 'expensive',
      reply: Array.from({ length: 5 }, () =>
        callTool('Read', { file_path: 'sum.js' }, { usage: { input_tokens: 1000, output_tokens: 1000 } }),
      ),
    },
  ]);
});
afterAll(() => orchestra?.dispose());

const start = (prompt: string, more: object = {}) =>
  orchestra.start({ prompt, driver: 'native', model: 'claude-sonnet-5', ...more });
const nextApproval = (id: string) =>
  waitFor(async () => (await orchestra.pending(id))[0], { what: `an approval of ${id}` });
const allow = async (id: string, more: object = {}) =>
  orchestra.decide((await nextApproval(id)).id, { decision: 'allow', ...more });
const made = (name: string) => existsSync(join(orchestra.project, name));
const shells = async (id: string) => (await orchestra.call('GET', `/api/sessions/${id}/shells`)).json.shells;

test('completes a task: read, edit, test, background server, question, kill; with the same states, search, cost and pages', async () => {
  writeFileSync(join(orchestra.project, 'sum.js'), 'console.log(((a, b) => a - b)(2, 3));\n');
  const { id } = await start('fix the sum');
  fixed = id;
  const edit = await nextApproval(id);
  expect(edit).toMatchObject({ toolName: 'Edit', kind: 'permission' });
  expect((await orchestra.view(id)).agentState).toMatchObject({ group: 'needs_you', state: 'needs_permission' });
  await orchestra.decide(edit.id, { decision: 'allow' });
  await allow(id);
  const approval = await nextApproval(id);
  expect(approval.toolInput.command).toBe(server);
  await orchestra.decide(approval.id, { decision: 'allow', how: 'background' });
  const question = await nextApproval(id);
  expect(question).toMatchObject({ kind: 'question' });

  // Between two sleeps the process list has only the shell itself
  const shell = await waitFor(
    async () =>
      (await shells(id)).find((one: { processes: unknown }) => JSON.stringify(one.processes).includes('sleep 0.1')),
    { what: 'the processes of the shell' },
  );
  expect(shell).toMatchObject({ command: server, state: 'running', isBackground: true });
  const output = await waitFor(
    async () => {
      const { json } = await orchestra.call('GET', `/api/sessions/${id}/shells/${shell.id}/output?after=0`);
      return json.pieces.length > 1 ? json : undefined;
    },
    { what: 'its output' },
  );
  expect(output.pieces).toMatchObject([
    { stream: 'stdout', text: 'serving\n' },
    { stream: 'stderr', text: 'careful\n' },
  ]);
  const found = await orchestra.call('GET', `/api/sessions/${id}/shells/${shell.id}/output?search=CARE`);
  expect(found.json.pieces).toMatchObject([{ stream: 'stderr', text: 'careful\n' }]);
  const pid = Number(readFileSync(join(orchestra.project, 'server.pid'), 'utf8'));
  expect(isAlive(pid)).toBe(true);

  await orchestra.decide(question.id, { decision: 'allow', answers: { 'Stop the server?': 'Yes' } });
  await orchestra.reaches(id, 'succeeded', 'failed');
  expect(await orchestra.result(fixed)).toMatchObject({ text: 'Fixed the pelican sum.', lifecycle: 'succeeded' });
  expect(isAlive(pid)).toBe(false);
  expect(readFileSync(join(orchestra.project, 'sum.js'), 'utf8')).toContain('a + b');

  const { json: page } = await orchestra.call('GET', `/api/sessions/${id}/messages`);
  expect(JSON.stringify(page.messages)).toContain('Looking at it.');
  expect(JSON.stringify(page.messages)).toContain('Command moved to background');
  await waitFor(
    async () =>
      (await orchestra.call('GET', '/api/search?q=pelican')).json.hits?.some(
        (one: { sessionId: string }) => one.sessionId === id,
      ),
    { what: 'the session in search', timeout: 60_000 },
  );
  // `gctl usage` reads the files itself, so it has everything; the card and the index follow them
  const usage = JSON.parse((await orchestra.gctl(['usage', '--json', '--by', 'session'])).stdout).rows as UsageRow[];
  const { tokens } = usage.find(({ key }) => key === id)!;
  expect(tokens.outputTokens).toBeGreaterThan(0);
  const read = async (): Promise<unknown> => {
    const { tokens: onCard, cost } = await orchestra.view(id);
    const { json: past } = await orchestra.call('GET', `/api/history/${id}`);
    const { json: stats } = await orchestra.call('GET', '/api/stats?by=model');
    return {
      card: onCard?.outputTokens,
      history: past.tokens.outputTokens,
      statistics: stats.rows.map((row: UsageRow) => [row.key, row.tokens.outputTokens]),
      costsAgree: past.cost.totalUsd > 0 && Math.abs(past.cost.totalUsd - (cost?.totalUsd ?? 0)) < 1e-9,
    };
  };
  await expect.poll(read).toEqual({
    card: tokens.outputTokens,
    history: tokens.outputTokens,
    statistics: [['claude-sonnet-5', usage.reduce((sum, row) => sum + row.tokens.outputTokens, 0)]],
    costsAgree: true,
  });
  expect(await orchestra.view(id)).toMatchObject({
    driver: { kind: 'runner', capabilities: { shells: true, rewind: false } },
    agentState: { state: 'idle' },
    toolCounts: expect.objectContaining({ Bash: 2, Edit: 1 }),
  });
  const decisions = await orchestra.call('GET', `/api/sessions/${id}/decisions`);
  expect(decisions.json.counts.approved).toBeGreaterThanOrEqual(3);
});

test('resume keeps the conversation, and a fork leaves the original unchanged', async () => {
  const resumed = await orchestra.call('POST', `/api/sessions/${fixed}/resume`, { prompt: 'what did you do?' });
  expect(resumed.status).toBe(200);
  await orchestra.reaches(resumed.json.id, 'succeeded', 'failed');
  expect(await orchestra.result(fixed)).toMatchObject({ text: 'I fixed it.' });
  const sent = JSON.stringify(orchestra.api.requests.at(-1)?.body.messages);
  expect(sent).toContain('Fixed the pelican sum.');
  const fork = await orchestra.call('POST', `/api/sessions/${fixed}/fork`, {
    prompt: 'what did you do, fork?',
  });
  expect(fork.status).toBe(201);
  await orchestra.reaches(fork.json.id, 'succeeded', 'failed');
  expect(await orchestra.result(fork.json.id)).toMatchObject({ text: 'I fixed it.' });
  expect(JSON.stringify(orchestra.api.requests.at(-1)?.body.messages)).toContain('what did you do, fork?');
});

test('the operator denies, kills, edits and backgrounds calls, and the model reads what happened', async () => {
  const lastSent = () => JSON.stringify(orchestra.api.requests.at(-1)?.body.messages.at(-1));
  const denied = await start('deny me');
  await orchestra.decide((await nextApproval(denied.id)).id, { decision: 'deny', message: 'Not today' });
  await orchestra.reaches(denied.id, 'succeeded');
  expect(lastSent()).toContain('Permission denied by user: Not today');
  const killed = await start('kill me');
  await orchestra.decide((await nextApproval(killed.id)).id, { decision: 'deny', how: 'kill' });
  await orchestra.reaches(killed.id, 'succeeded');
  expect(lastSent()).toContain('Killed by the operator before it ran');
  const edited = await start('edit me');
  await allow(edited.id, { updatedInput: { command: 'touch right.txt' } });
  await orchestra.reaches(edited.id, 'succeeded');
  expect([made('denied.txt'), made('killed.txt'), made('wrong.txt'), made('right.txt')]).toEqual([
    false,
    false,
    false,
    true,
  ]);
  const behind = await start('background me');
  const approval = await nextApproval(behind.id);
  expect(
    (await orchestra.call('POST', `/api/approvals/${approval.id}/decision`, { decision: 'deny', how: 'background' }))
      .status,
  ).toBe(400);
  await orchestra.decide(approval.id, { decision: 'allow', how: 'background' });
  await orchestra.reaches(behind.id, 'succeeded');
  const [shell] = await shells(behind.id);
  expect(shell).toMatchObject({ state: 'running', isBackground: true });
  expect((await orchestra.view(behind.id)).agentState.state).not.toBe('idle');
  const kill = await orchestra.call('POST', `/api/sessions/${behind.id}/shells/${shell.id}/kill`);
  expect(kill.json).toEqual({ left: [] });
  await waitFor(async () => (await orchestra.view(behind.id)).agentState.state === 'idle', { what: 'it to be idle' });
});

test('a running command can be sent to the background from outside, and the turn continues', async () => {
  const { id } = await start('run and wait');
  await allow(id);
  const [shell] = await waitFor(async () => ((await shells(id)).length > 0 ? shells(id) : undefined), {
    what: 'a shell',
  });
  expect(shell).toMatchObject({ state: 'running', isBackground: false });
  expect((await orchestra.call('POST', `/api/sessions/${id}/calls/${shell.callId}/background`)).status).toBe(204);
  await orchestra.reaches(id, 'succeeded');
  expect(await orchestra.result(id)).toMatchObject({ text: 'Went on.' });
  expect((await shells(id))[0]).toMatchObject({ state: 'running', isBackground: true });
  const unknown = await orchestra.call('GET', `/api/sessions/${id}/shells/nope/output`);
  expect(unknown).toMatchObject({
    status: 409,
    json: { error: { message: expect.stringContaining('ShellNotFound') } },
  });
  writeFileSync(join(orchestra.project, 'go'), '');
  await waitFor(async () => (await shells(id))[0].state === 'exited', { what: 'the shell to end' });
});

test('a stop ends the turn and keeps the session; a budget asks before the request that would exceed it', async () => {
  const { id } = await start('think long');
  await waitFor(async () => (await orchestra.view(id)).agentState.state === 'thinking', { what: 'it to think' });
  const stop = await orchestra.call('POST', `/api/sessions/${id}/stop`, {});
  expect(stop.status).toBeLessThan(300);
  await waitFor(async () => (await orchestra.view(id)).agentState.state !== 'thinking', { what: 'the stop' });
  const spends = await start('expensive', { budget: { dollars: 0.02 } });
  const question = await nextApproval(spends.id);
  expect(question).toMatchObject({ kind: 'question', toolName: 'Budget' });
  const asked = orchestra.api.requests.filter(({ turn }) => turn.prompt.includes('expensive')).length;
  expect(asked).toBe(1);
  const [text] = (question.toolInput.questions as { question: string }[]).map(({ question: one }) => one);
  await orchestra.decide(question.id, { decision: 'allow', answers: { [text!]: 'Stop here' } });
  await orchestra.reaches(spends.id, 'failed', 'succeeded');
  expect(orchestra.api.requests.filter(({ turn }) => turn.prompt.includes('expensive'))).toHaveLength(1);
});

test('kill -9 of its runner leaves no process behind, reports everything, and the session resumes with a valid conversation', async () => {
  const { id } = await start('leave loops');
  await allow(id);
  await allow(id);
  const loops = () =>
    ['left.pid', 'right.pid'].map((name) => Number(readFileSync(join(orchestra.project, name), 'utf8')));
  await waitFor(() => made('left.pid') && made('right.pid'), { what: 'both loops' });
  const pids = await waitFor(() => (loops().every((pid) => pid > 0) ? loops() : undefined), { what: 'their pids' });
  const { json } = await orchestra.call('GET', `/api/sessions/${id}/processes`);
  const [runner] = json.pids as number[];
  process.kill(runner!, 'SIGKILL');
  await waitFor(() => pids.every((pid) => !isAlive(pid)), { what: 'the loops to end' });
  await orchestra.reaches(id, 'failed');
  expect((await orchestra.view(id)).toolCounts).toMatchObject({ Bash: 2 });
  expect((await orchestra.call('POST', `/api/sessions/${id}/resume`, { prompt: 'what was left?' })).status).toBe(200);
  await orchestra.reaches(id, 'succeeded');
  const { body } = orchestra.api.requests.at(-1)!;
  expect(JSON.stringify(body.messages)).toContain('may have run');
  expect(validateConversation(body)).toEqual([]);
});

test("a command that the operator allows still can't act as the operator, not even from its own terminal", async () => {
  const { id } = await start('break out');
  await allow(id);
  await allow(id);
  await orchestra.reaches(id, 'succeeded', 'failed');
  const results = JSON.stringify(orchestra.api.requests.at(-1)?.body.messages);
  expect(results.match(/can't act as the operator/g)).toHaveLength(2);
  expect(JSON.stringify((await orchestra.call('GET', '/api/audit?limit=200')).json)).toContain('act as the operator');
});
