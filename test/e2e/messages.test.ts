import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Message, MessagePage, type MessagePart } from '../../src/contract/messages.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { startInteractive } from '../kit/real-client.ts';
import { makeGctlHome } from '../kit/run-gctl.ts';
import { apiError, callTool, say, thinkForever, together } from '../kit/scripted-answer.ts';
import { type Scenario, startScriptedApi } from '../kit/scripted-api.ts';
import { waitFor } from '../kit/wait.ts';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const scenario: Scenario = [
  // how the client asks for the summary
  { when: 'TEXT ONLY', reply: [say('<summary>A file was written.</summary>')] },
  { when: 'task-notification', reply: [say('The helper is done.')] },
  { when: 'subtask', from: 'subagent', reply: [callTool('Bash', { command: 'echo deep' }), say('Found it.')] },
  {
    when: 'write it',
    reply: [
      together(say('I write.'), callTool('Write', { file_path: 'new.txt', content: 'one\ntwo\n' })),
      callTool('Edit', { file_path: 'new.txt', old_string: 'two', new_string: 'three' }),
      together(callTool('Bash', { command: 'echo first' }), callTool('Bash', { command: 'echo second' })),
      callTool('Read', { file_path: 'pixel.png' }),
      say('Written.', { usage: { input_tokens: 1000, output_tokens: 100 } }),
    ],
  },
  {
    when: 'delegate',
    reply: [
      callTool('Agent', { description: 'helper', prompt: 'subtask: look', subagent_type: 'general-purpose' }),
      say('Started it.'),
    ],
  },
  { when: 'fail', reply: [apiError(400, 'scripted refusal')] },
  { when: 'work then think', reply: [callTool('Bash', { command: 'echo hi' }), thinkForever()] },
];

type Tool = Extract<MessagePart, { kind: 'tool' }>;
const tools = (messages: Message[]) =>
  messages.flatMap(({ parts }) => parts.filter((part): part is Tool => part.kind === 'tool'));
const notices = (messages: Message[]) =>
  messages.flatMap(({ parts }) => parts.flatMap((part) => (part.kind === 'notice' ? [part] : [])));

test("reads a real session's transcript over the API, in the terminal and as a file", async () => {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const client = await makeClientHome({ apiUrl: api.url });
  onTestFinished(client.dispose);
  writeFileSync(join(client.project, 'pixel.png'), Buffer.from(PIXEL, 'base64'));
  const home = makeGctlHome();
  const env = { CLAUDE_CONFIG_DIR: client.configDir };
  expect(await home.run(['up', '--detach', '--no-open', '--port', '0'], { env })).toMatchObject({ code: 0 });
  const { url } = home.daemon()!;
  const token = (await home.gctl('token')).stdout.trim();
  const terminal = await startInteractive(client, { permissionMode: 'acceptEdits' });
  onTestFinished(terminal.dispose);

  const fetchAll = async (query = '') => {
    const path = `/api/sessions/${await terminal.sessionId()}/messages?limit=500${query}`;
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    return answer.ok ? MessagePage.parse(await answer.json()) : undefined;
  };
  const said = (text: string) =>
    waitFor(
      async () => {
        const page = await fetchAll();
        return page && JSON.stringify(page).includes(text) ? page : undefined;
      },
      { what: `"${text}" in the transcript`, timeout: 60_000, context: terminal.lastScreen },
    );

  await terminal.prompt('write it');
  const written = await said('Written.');
  const [write, edit, first, second, read] = tools(written.messages);
  expect(write).toMatchObject({ name: 'Write', diff: { added: 2, removed: 0 }, result: { isError: false } });
  expect(edit?.diff?.hunks).toEqual([
    {
      lines: [
        { kind: 'same', oldLine: 1, newLine: 1, text: 'one' },
        { kind: 'removed', oldLine: 2, newLine: null, text: 'two' },
        { kind: 'added', oldLine: null, newLine: 2, text: 'three' },
      ],
    },
  ]);
  expect([first?.result?.text, second?.result?.text]).toEqual(['first', 'second']);
  // both calls are in one reply
  expect(written.messages.filter(({ parts }) => parts.filter(({ kind }) => kind === 'tool').length === 2)).toHaveLength(
    1,
  );
  expect(written.messages.findLast(({ role }) => role === 'assistant')).toMatchObject({
    tokens: { inputTokens: 1000, outputTokens: 100 },
    costUsd: expect.any(Number),
  });
  const [image] = read?.result?.images ?? [];
  expect(image).toMatchObject({ mediaType: 'image/png' });
  const id = await terminal.sessionId();
  const drawn = await fetch(`${url}/api/sessions/${id}/images/${image!.imageId}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(drawn.headers.get('content-type')).toBe('image/png');

  await terminal.prompt('delegate');
  const delegated = await said('The helper is done.');
  const agent = tools(delegated.messages).find(({ name }) => name === 'Agent');
  expect(agent?.agentId).toMatch(/^\w+$/);
  expect(notices(delegated.messages)).toContainEqual(
    expect.objectContaining({ notice: 'task', text: expect.stringContaining('Found it.') }),
  );
  const sub = await fetchAll(`&agentId=${agent!.agentId}`);
  expect(tools(sub!.messages)).toMatchObject([{ name: 'Bash', result: { text: 'deep' } }]);

  await terminal.prompt('fail');
  expect(notices((await said('scripted refusal')).messages)).toContainEqual(
    expect.objectContaining({ notice: 'api_error' }),
  );
  await terminal.waitForStatus('idle');
  // the prompt sign changes with the first letter, so `prompt` would wait forever
  await terminal.type('!echo bang');
  await terminal.waitForScreen(/^!\secho bang/m);
  await terminal.press('Enter');
  const banged = notices((await said('bang')).messages);
  expect(banged).toContainEqual(expect.objectContaining({ notice: 'command', text: '! echo bang' }));
  await waitFor(async () => notices((await fetchAll())!.messages).some(({ notice }) => notice === 'command_output'), {
    what: 'what the command printed',
  });
  await terminal.waitForStatus('idle');

  await terminal.prompt('/compact');
  // a list that opens under the command may swallow the key
  await waitFor(async () => !/^❯\s\/compact\s*$/m.test(await terminal.screen()), {
    what: 'the command to be taken',
    timeout: 5000,
  }).catch(() => terminal.press('Enter'));
  const compacted = await said('compacted');
  expect(notices(compacted.messages).map(({ notice }) => notice)).toContain('compacted');
  await terminal.waitForStatus('idle');

  await terminal.prompt('work then think');
  await waitFor(async () => tools((await fetchAll())!.messages).at(-1)?.result?.text === 'hi', { what: 'the tool' });
  await waitFor(() => api.requests.at(-1)?.turn.step === 1, { what: 'the model to think' });
  await terminal.press('Escape');
  expect(notices((await said('interrupted by user')).messages).at(-1)).toMatchObject({ notice: 'interrupted' });
  await terminal.waitForStatus('idle');

  const shown = await home.gctl('show', id, '--last', '0');
  expect(shown).toMatchObject({ code: 0, stderr: '' });
  for (const line of [
    'You ',
    'I write.',
    '✓ Write new.txt  +2 -0',
    '    - two',
    '    + three',
    '✓ Bash echo first',
    `--agent ${agent!.agentId}`,
    'api error: ',
    'interrupted: ',
  ])
    expect(shown.stdout).toContain(line);
  expect((await home.gctl('show', id, '--last', '1')).stdout.split('\n').length).toBeLessThan(10);
  expect((await home.gctl('show', id, '--agent', agent!.agentId!)).stdout).toContain('Found it.');
  const { messages } = JSON.parse((await home.gctl('show', id, '--json')).stdout);
  expect(messages.length).toBeGreaterThan(5);

  const html = join(home.home, 'out.html');
  expect(await home.gctl('export', id, '--format', 'html', '--out', html)).toMatchObject({ code: 0 });
  const exported = await home.gctl('export', id);
  expect(exported.stdout).toContain('```diff');
  expect(exported.stdout).toContain('Found it.');
  expect(Object.keys(JSON.parse((await home.gctl('export', id, '--json')).stdout).subagents)).toContain(agent!.agentId);
});

test('show and export say what is wrong', async () => {
  const home = makeGctlHome();
  expect(await home.gctl('show', 'x')).toMatchObject({ code: 3, stderr: expect.stringContaining('gctl up') });
  expect(await home.gctl('up', '--detach', '--no-open', '--port', '0')).toMatchObject({ code: 0 });
  const id = '5bfafc47-174b-49fc-b233-428c241f0cc5';
  expect(await home.gctl('show', id)).toMatchObject({ code: 1, stderr: expect.stringContaining('no transcript') });
  expect(await home.gctl('export', id)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('no transcript'),
  });
  expect(await home.gctl('export', id, '--format', 'pdf')).toMatchObject({ code: 2 });
  expect(await home.gctl('show', id, '--last', 'x')).toMatchObject({ code: 2 });
});
