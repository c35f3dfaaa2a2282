import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { query, type SpawnOptions } from '@anthropic-ai/claude-agent-sdk';
import { expect, test } from 'vitest';
import type { RunnerSpec } from '../../contract/runners.ts';
import type { DriverHost } from '../driver.ts';
import { sdkOptions } from './claude-agent.ts';
import { clientCommand } from './client-command.ts';

const PLAIN: RunnerSpec = {
  runnerId: 'runner',
  sessionId: '11111111-1111-4111-8111-111111111111',
  token: 'token',
  agentToken: 'agent-token',
  dataDir: '/data',
  driver: 'claude',
  cwd: '/tmp',
  claude: '/usr/bin/true',
  start: { how: 'new' },
  prompt: 'Do it',
  promptId: 'prompt',
  deniedTools: [],
  mcpServers: {},
  budget: {},
  spentBefore: { dollars: 0, tokens: 0, ms: 0 },
  lingerMs: 0,
  waitsForDaemon: false,
  prices: [],
  sessionFiles: null,
};
const FROM = '22222222-2222-4222-8222-222222222222';

const SPECS: Record<string, Partial<RunnerSpec>> = {
  'a new session': {},
  'a model': { model: 'opus' },
  'an empty model name': { model: '' },
  'a system prompt': { systemPrompt: 'Be brief.' },
  'chosen tools': { tools: ['Read', 'Bash'] },
  'no tools at all': { tools: [] },
  'denied tools': { deniedTools: ['WebFetch', 'Bash(rm *)'] },
  'MCP servers': {
    mcpServers: { one: { command: 'x', args: ['y z'], env: { A: '"' } }, two: { type: 'http', url: 'http://x' } },
  },
  'plan mode': { permissionMode: 'plan' },
  'default mode': { permissionMode: 'default' },
  'bypass mode': { permissionMode: 'bypassPermissions' },
  'a resumed session': { start: { how: 'resume' } },
  'a session resumed at a message': { start: { how: 'resume', atMessage: 'm-1' } },
  'a fork': { start: { how: 'fork', from: FROM } },
  'a fork at a message': { start: { how: 'fork', from: FROM, atMessage: 'm-1' } },
  'everything at once': {
    model: 'sonnet[1m]',
    permissionMode: 'acceptEdits',
    tools: ['Read'],
    deniedTools: ['Edit'],
    mcpServers: { one: { command: 'x' } },
    systemPrompt: 'Be brief.',
    start: { how: 'fork', from: FROM, atMessage: 'm-1' },
  },
};

for (const [what, change] of Object.entries(SPECS)) {
  test(`starts the client with the SDK's own command: ${what}`, () => {
    const spec = { ...PLAIN, ...change };
    const env = { PATH: '/bin', HOME: '/home/me', EMPTY: '' };
    expect(clientCommand(spec, env)).toEqual(commandOfSdk(spec, env));
  });
}

for (const env of [
  { CLAUDE_CODE_ENTRYPOINT: 'mine', CLAUDE_AGENT_SDK_VERSION: '0.1.0', CLAUDE_CODE_SDK_READS_SESSION_STATE: '0' },
  { NODE_OPTIONS: '--max-old-space-size=100', DEBUG: '*', TRACEPARENT: '00-1-2-01', EMPTY: '' },
]) {
  test(`starts the client with the SDK's own environment: ${Object.keys(env).join(', ')}`, () => {
    expect(clientCommand(PLAIN, env)).toEqual(commandOfSdk(PLAIN, env));
  });
}

test('leaves scripts, its own client and its debug mode to the SDK', () => {
  expect(clientCommand(PLAIN, { DEBUG_CLAUDE_AGENT_SDK: '1' })).toBeUndefined();
  expect(clientCommand({ ...PLAIN, claude: '/opt/claude/cli.js' }, {})).toBeUndefined();
  expect(clientCommand({ ...PLAIN, claude: null }, {})).toBeUndefined();
});

function commandOfSdk(spec: RunnerSpec, env: NodeJS.ProcessEnv) {
  let asked: SpawnOptions | undefined;
  const spawn = (options: SpawnOptions) => {
    asked = options;
    const streams = { stdin: new PassThrough(), stdout: new PassThrough() };
    return Object.assign(new EventEmitter(), streams, { killed: false, exitCode: 0, kill: () => true });
  };
  const options = sdkOptions({ spec } as DriverHost, { env, log: () => undefined });
  query({ prompt: noPrompts(), options: { ...options, spawnClaudeCodeProcess: spawn } }).close();
  const { command, args, cwd, env: given } = asked!;
  return { command, args, cwd, env: given };
}

async function* noPrompts(): AsyncGenerator<never> {
  yield* [];
}
