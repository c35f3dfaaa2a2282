import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenOnLoopback } from '../../../test/kit/loopback-server.ts';
import { type NativeAgent, resultsIn, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { type NativeTools, openNativeTools } from '../../../test/kit/native-tools.ts';
import { callTool, say } from '../../../test/kit/scripted-answer.ts';
import { waitFor } from '../../../test/kit/wait.ts';
import { isPublicAddress } from '../../net/public-address.ts';
import type { PermissionContext } from '../permission/context.ts';
import type { CallContext } from './tool.ts';
import { webFetchTool } from './web-fetch.ts';

const context = { signal: new AbortController().signal } as CallContext;

describe('WebFetch', () => {
  it('refuses hosts that are not listed, private addresses in any spelling, and redirects to them', async () => {
    const server = await listenOnLoopback((request, response) => {
      if (request.url === '/away') return void response.writeHead(302, { location: 'http://evil.test/' }).end();
      response.setHeader('content-type', 'text/html').end('<p>Hi <b>there</b></p><script>x</script>');
    });
    const guarded = webFetchTool({ allowedHosts: ['127.0.0.1', 'localhost', '*.example.com'] });
    for (const url of [
      server.url,
      server.url.replace('127.0.0.1', 'localhost'),
      'http://other.test/',
      'file:///etc/passwd',
    ])
      expect((await guarded.run({ url }, context)).isError).toBe(true);
    const open = webFetchTool({ allowedHosts: ['127.0.0.1'], isAllowedAddress: () => true });
    expect((await open.run({ url: server.url }, context)).content).toMatch(/^200 text\/html\n\nHi there$/);
    expect((await open.run({ url: `${server.url}/away` }, context)).content).toContain('evil.test is not on the list');
    await server.close();
  });

  it('recognizes private addresses', () => {
    const hidden = [
      '127.0.0.1',
      '10.1.2.3',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '::1',
      '::ffff:127.0.0.1',
      'fe80::1',
      'fd00::1',
      '0.0.0.0',
    ];
    for (const address of hidden) expect([address, isPublicAddress(address)]).toEqual([address, false]);
    for (const address of ['1.1.1.1', '2606:4700::1111']) expect(isPublicAddress(address)).toBe(true);
  });
});

describe('questions, plans and tasks', () => {
  let native: NativeAgent;
  let tools: NativeTools;
  beforeEach(async () => {
    tools = await openNativeTools();
  });
  afterEach(async () => {
    await native.close();
    await tools.close();
  });

  async function nextAsk() {
    await waitFor(() => native.asks.pending().length > 0, { what: 'an ask' });
    return native.asks.pending()[0]!;
  }

  it('asks the operator a question in every mode, and returns the answer', async () => {
    const question = { question: 'Which one?', options: [{ label: 'A' }, { label: 'B' }] };
    native = await startNativeAgent([callTool('AskUserQuestion', { questions: [question] })], {
      tools: tools.tools,
      permission: { mode: 'bypassPermissions', isBypassPermissionsModeAvailable: true },
    });
    const turn = native.agent.prompt('go');
    const { id, call } = await nextAsk();
    expect(call.kind).toBe('question');
    const updatedInput = { ...call.input, answers: { 'Which one?': 'B' } };
    native.asks.settle(id, { decision: 'allow', by: 'operator', updatedInput });
    await turn;
    expect(resultsIn(native.api.requests[1]?.body)[0]?.content).toBe('Which one?\nB');
  });

  it('carries out a plan only after the operator accepted it', async () => {
    native = await startNativeAgent(
      [
        callTool('Write', { file_path: 'x', content: 'y' }),
        callTool('ExitPlanMode', { plan: '1. write x' }),
        say('ok'),
      ],
      { tools: tools.tools, cwd: tools.folder, permission: { mode: 'plan' } },
    );
    const turn = native.agent.prompt('go');
    const { id, call } = await nextAsk();
    expect(call.kind).toBe('plan');
    native.asks.settle(id, { decision: 'deny', by: 'operator', message: 'Not yet' });
    await turn;
    expect(resultsIn(native.api.requests[1]?.body)[0]?.content).toContain('plan mode');
    expect(resultsIn(native.api.requests[2]?.body)[0]?.content).toBe('Permission denied by user: Not yet');
  });

  it('denies a sandboxed command by rule and in plan mode, although nobody is asked about it', async () => {
    const boxed = () => [callTool('Bash', { command: 'rm -rf src', sandbox: true })];
    const outcome = async (permission: Partial<PermissionContext>) => {
      native = await startNativeAgent(boxed(), { tools: tools.tools, cwd: tools.folder, permission });
      await native.agent.prompt('go');
      return String(resultsIn(native.api.requests[1]?.body)[0]?.content);
    };
    expect(await outcome({ mode: 'plan' })).toContain('Only reading is allowed');
    await native.close();
    expect(await outcome({ alwaysDenyRules: { command: ['Bash(rm:*)'] } })).toContain('The rule Bash(rm:*) denies');
    expect(native.types()).not.toContain('ask.raised');
  });

  it('reports a task list as it changes', async () => {
    const todos = (status: string) => callTool('TodoWrite', { todos: [{ content: 'Do it', status }] });
    native = await startNativeAgent([todos('in_progress'), todos('completed')], { tools: tools.tools });
    await native.agent.prompt('go');
    expect(native.types().filter((type) => type.startsWith('task.'))).toEqual([
      'task.created',
      'task.started',
      'task.completed',
    ]);
  });

  it('test_background_shells: sends a command to the background while it waits or runs, and queries and kills it later', async () => {
    native = await startNativeAgent(
      [
        callTool('Bash', { command: 'echo first; sleep 300' }),
        callTool('Bash', { command: 'echo second; sleep 300' }),
        (request) => callTool('BashOutput', { shell_id: shellIn(request) }),
        (request) => callTool('KillShell', { shell_id: shellIn(request) }),
      ],
      { tools: tools.tools, cwd: tools.folder },
    );
    const turn = native.agent.prompt('go');
    // while it waits for permission
    native.asks.settle((await nextAsk()).id, { decision: 'background', by: 'operator' });
    // while it runs
    native.asks.settle((await nextAsk()).id, { decision: 'allow', by: 'operator' });
    await native.until('tool.output');
    native.agent.running.background(native.agent.running.ids[0]!);
    await turn;
    const results = native.api.requests.slice(1).map(({ body }) => resultsIn(body)[0]);
    expect(results[0]).toMatchObject({
      isError: false,
      content: expect.stringMatching(/^Command moved to background \(shell ID: sh-/),
    });
    expect(results[1]).toMatchObject({
      isError: false,
      content: expect.stringMatching(/^Command moved to background \(shell ID: sh-/),
    });
    expect(results[2]?.content).toContain('state: running');
    expect(results[3]?.content).toContain('Nothing it started is still running');
  });

  function shellIn(request: { messages: unknown[] }): string {
    return /shell ID: (sh-\w+)/.exec(JSON.stringify(request.messages))?.[1] ?? '';
  }
});

it('returns error results for a tool that throws, unknown tools and invalid input', async () => {
  const tools = await openNativeTools();
  const native = await startNativeAgent(
    [callTool('Nope', {}), callTool('Read', { file_path: 3 }), callTool('Grep', { pattern: '(' })],
    { tools: tools.tools, cwd: tools.folder },
  );
  expect(await native.agent.prompt('go')).toMatchObject({ kind: 'completed' });
  const results = native.api.requests.slice(1).map(({ body }) => resultsIn(body)[0]);
  expect(results.map((result) => result?.isError)).toEqual([true, true, true]);
  expect(results[1]?.content).toContain('Invalid input for Read: file_path');
  await native.close();
  await tools.close();
});
