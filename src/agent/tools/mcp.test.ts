import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultsIn, startNativeAgent } from '../../../test/kit/native-agent.ts';
import { callTool, together } from '../../../test/kit/scripted-answer.ts';
import { waitFor } from '../../../test/kit/wait.ts';
import { connectMcp, type McpConnection, McpServers } from './mcp.ts';

const script = join(import.meta.dirname, '../../../test/kit/mcp-server.mjs');

describe('MCP servers', () => {
  let http: ChildProcess;
  let connection: McpConnection;

  beforeAll(async () => {
    http = spawn(process.execPath, [script, 'http'], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [address] = (await once(http.stdout!, 'data')) as [Buffer];
    const url = address.toString().trim();
    const servers = McpServers.parse({
      local: { command: process.execPath, args: [script], env: { GIVEN: 'given' } },
      remote: { type: 'http', url, headers: { 'x-key': 'open' } },
      locked: { type: 'http', url },
      missing: { command: '/does/not/exist' },
    });
    connection = await connectMcp(servers, { cwd: tmpdir() });
  });
  afterAll(async () => {
    await connection.close();
    http.kill();
  });

  const run = (calls: ReturnType<typeof callTool>) =>
    startNativeAgent([calls], { tools: connection.tools, permission: { alwaysAllowRules: { test: toolNames() } } });
  const toolNames = () => connection.tools.map(({ name }) => name);

  it("offers the tools of servers that respond, and names the ones that don't", () => {
    expect(toolNames()).toContain('mcp__local__shout');
    expect(toolNames()).toContain('mcp__remote__shout');
    expect(connection.tools[0]?.jsonSchema).toMatchObject({ type: 'object', properties: { text: { type: 'string' } } });
    expect(connection.problems.map(({ server }) => server).sort()).toEqual(['locked', 'missing']);
  });

  it('calls tools over stdio and HTTP, with text, images and errors as results', async () => {
    const native = await run(
      together(
        callTool('mcp__local__shout', { text: 'one' }),
        callTool('mcp__remote__shout', { text: 'two' }),
        callTool('mcp__local__picture'),
        callTool('mcp__remote__broken'),
        callTool('mcp__local__shout', { text: 3 }),
        callTool('mcp__local__where'),
      ),
    );
    await native.agent.prompt('go');
    const results = resultsIn(native.api.requests[1]?.body);
    expect(results.map(({ content }) => content).slice(0, 4)).toMatchObject([
      [{ type: 'text', text: 'ONE' }],
      [{ type: 'text', text: 'TWO' }],
      [{ type: 'image', source: { media_type: 'image/png' } }],
      [{ type: 'text', text: 'out of order' }],
    ]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, true, true, false]);
    expect(JSON.stringify(results[5]?.content)).toMatch(/given "/);
    await native.close();
  });

  it('asks before a call, and ends one when the operator interrupts', async () => {
    const native = await startNativeAgent([callTool('mcp__local__slow')], { tools: connection.tools });
    const turn = native.agent.prompt('go');
    await waitFor(() => native.asks.pending().length > 0, { what: 'an ask' });
    native.asks.settle(native.asks.pending()[0]!.id, { decision: 'allow', by: 'operator' });
    await native.until('tool.running');
    native.agent.interrupt();
    expect(await turn).toEqual({ kind: 'interrupted' });
    await native.close();
  });

  it('returns an error result when a server dies, and keeps the others working', async () => {
    const native = await run(
      together(callTool('mcp__local__crash'), callTool('mcp__remote__shout', { text: 'still here' })),
    );
    await native.agent.prompt('go');
    const results = resultsIn(native.api.requests[1]?.body);
    expect(results[0]?.isError).toBe(true);
    expect(results[1]?.content).toMatchObject([{ text: 'STILL HERE' }]);
    await native.close();
  });
});
