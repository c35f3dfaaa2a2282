import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { makeClientHome } from './client-home.ts';
import { runHeadless } from './real-client.ts';
import { apiError, callTool, say, thinkForever, together } from './scripted-answer.ts';
import { type Scenario, startScriptedApi } from './scripted-api.ts';

async function start(scenario: Scenario) {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const ask = (prompt: string, { stream = false, headers = {}, signal }: AskOptions = {}) =>
    fetch(`${api.url}/v1/messages?beta=true`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        model: 'claude-test',
        stream,
        tools: [{ name: 'Bash' }],
        messages: [{ role: 'user', content: prompt }],
      }),
      ...(signal ? { signal } : {}),
    });
  return { ...api, ask };
}

interface AskOptions {
  stream?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

test('streams the events of the Messages API in their order', async () => {
  const both = together(say('Two things.'), callTool('Bash', { command: 'ls' }), callTool('Read', { file_path: 'a' }));
  const { ask } = await start([{ when: 'look', reply: [both] }]);
  const events = parseEvents(await (await ask('look around', { stream: true })).text());
  expect(events.map(({ type }) => type)).toEqual([
    'message_start',
    ...['content_block_start', 'ping', 'content_block_delta', 'content_block_stop'],
    ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
    ...['content_block_start', 'content_block_delta', 'content_block_delta', 'content_block_stop'],
    'message_delta',
    'message_stop',
  ]);
  expect(events.at(-2)).toMatchObject({ delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 20 } });
});

test('returns a complete response with the scripted usage if no stream is requested', async () => {
  const usage = { input_tokens: 7, output_tokens: 3, cache_creation_input_tokens: 5, cache_read_input_tokens: 11 };
  const { ask } = await start([{ when: 'hello', reply: [say('Hi.', { usage })] }]);
  expect(await (await ask('hello')).json()).toMatchObject({
    role: 'assistant',
    content: [{ type: 'text', text: 'Hi.' }],
    stop_reason: 'end_turn',
    usage: { ...usage, cache_creation: { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 0 } },
  });
});

test('fails like the real API', async () => {
  const { ask } = await start([{ when: 'hello', reply: [apiError(529, 'Overloaded')] }]);
  const response = await ask('hello');
  expect(response.status).toBe(529);
  expect(await response.json()).toEqual({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } });
});

test('thinks until the client hangs up', async () => {
  const { ask } = await start([{ when: 'hello', reply: [thinkForever()] }]);
  const giveUp = new AbortController();
  const response = await ask('hello', { stream: true, signal: giveUp.signal });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  expect(new TextDecoder().decode(value)).toContain('message_start');
  giveUp.abort();
  await expect(reader?.read()).rejects.toThrow('abort');
});

test('distinguishes a subagent from the main agent', async () => {
  const { ask } = await start([
    { when: 'hello', from: 'subagent', reply: [say('from below')] },
    { when: 'hello', reply: [say('from above')] },
  ]);
  const above = await (await ask('hello')).text();
  const below = await (await ask('hello', { headers: { 'x-claude-code-agent-id': 'a1' } })).text();
  expect([above, below]).toEqual([expect.stringContaining('from above'), expect.stringContaining('from below')]);
});

test('takes the real client from a prompt through a tool call to its answer', async () => {
  const api = await start([
    {
      when: 'leave a note',
      reply: [
        callTool('Bash', { command: 'echo hello > note.txt', description: 'Write it' }),
        say('The note is there.'),
      ],
    },
  ]);
  const home = await makeClientHome({ apiUrl: api.url, settings: { permissions: { allow: ['Bash'] } } });
  onTestFinished(home.dispose);
  const run = await runHeadless(home, 'leave a note');
  expect(run).toEqual({ code: 0, stdout: 'The note is there.\n', stderr: '' });
  expect(await readFile(join(home.project, 'note.txt'), 'utf8')).toBe('hello\n');
  expect(api.requests.filter(({ kind }) => kind === 'turn').map(({ turn }) => turn)).toEqual([
    { prompt: 'leave a note', step: 0 },
    { prompt: 'leave a note', step: 1 },
  ]);
});

function parseEvents(text: string): { type: string }[] {
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data ?? '') as { type: string });
}
