import { expect, onTestFinished, test } from 'vitest';
import { columnOf } from '../../src/contract/groups.ts';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { apiCaller } from '../kit/call-api.ts';
import { makeClientHome } from '../kit/client-home.ts';
import { type DaemonProcess, startDaemonProcess } from '../kit/daemon-process.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import { type Scenario, startScriptedApi } from '../kit/scripted-api.ts';
import { openSse } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

const question = {
  questions: [
    {
      question: 'Which color?',
      header: 'Color',
      multiSelect: false,
      options: [
        { label: 'Red', description: 'warm' },
        { label: 'Blue', description: 'cold' },
      ],
    },
  ],
};
const longCommand = 'for i in $(seq 1 600); do sleep 0.2; done';

const scenario: Scenario = [
  { when: 'task-notification', reply: [say('The helper is done.')] },
  { when: 'subtask', from: 'subagent', reply: [callTool('Bash', { command: 'touch sub.txt' }), say('Helper done.')] },
  {
    when: 'make a file',
    reply: [callTool('Read', { file_path: 'README.md' }), callTool('Bash', { command: 'touch one.txt' }), say('Made.')],
  },
  { when: 'ask me', reply: [callTool('AskUserQuestion', question), say('Thanks.')] },
  { when: 'plan it', reply: [callTool('ExitPlanMode', { plan: '1. do it' }), say('Planned.')] },
  {
    when: 'delegate',
    reply: [
      callTool('Agent', { description: 'helper', prompt: 'subtask: make a file', subagent_type: 'general-purpose' }),
      say('Started it.'),
    ],
  },
  { when: 'think hard', reply: [thinkForever()] },
  { when: 'run long', reply: [callTool('Bash', { command: longCommand }), say('Done.')] },
  { when: 'make another', reply: [callTool('Bash', { command: 'touch two.txt' }), say('Made.')] },
];

/** The status in `claude agents --json`, mapped to our columns. */
const GROUP_OF: Record<string, string> = { idle: 'needs_you', waiting: 'needs_you', busy: 'autonomous' };

test('a real terminal session, from its first prompt to its end, state by state', async () => {
  const api = await startScriptedApi(scenario);
  onTestFinished(api.close);
  const home = await makeClientHome({ apiUrl: api.url });
  onTestFinished(home.dispose);
  const daemon = await startDaemonProcess({ args: ['--hooks'], env: { CLAUDE_CONFIG_DIR: home.configDir } });
  onTestFinished(daemon.dispose);
  // a viewer: with an operator watching, the subagent's request would be held and not shown in the terminal
  const stream = await openSse({ url: daemon.url, token: await viewerToken(daemon) });
  onTestFinished(() => void stream.close());
  const client = await startInteractive(home);
  onTestFinished(client.dispose);
  const id = await client.sessionId();

  const seen: string[] = [];
  let latest: LiveSession | undefined;
  stream.onMessage = ({ event, data }) => {
    if (event !== 'session_discovered' && event !== 'session_updated') return;
    if (data.id === id) note(data);
  };
  for (const { data } of stream.messages) if (data?.id === id) note(data);

  function note(session: LiveSession): void {
    latest = session;
    const { group, state, label } = session.agentState;
    const line = `${group} ${state} | ${label}`;
    if (seen.at(-1) !== line) seen.push(line);
  }

  /** Waits for a state and checks that the client reports the same. */
  async function rest(state: string, label: string): Promise<void> {
    const context = () => `${seen.join('\n')}\n${client.lastScreen()}`;
    await waitFor(() => latest?.agentState.state === state && latest.agentState.label === label, {
      what: `${state} ${label}`,
      timeout: 60_000,
      context,
    });
    const [agent] = await waitFor(
      async () => {
        const agents = await client.agentsJson();
        return agents[0] && GROUP_OF[agents[0].status] === latest?.agentState.group ? agents : undefined;
      },
      { what: `the client to agree with ${state}`, timeout: 60_000, context },
    );
    expect(agent?.sessionId).toBe(id);
  }

  const flow = {
    async prompt(text: string, state: string, label: string) {
      await client.prompt(text);
      await rest(state, label);
    },
    async press(key: Parameters<typeof client.press>[0], state: string, label: string) {
      const before = latest?.agentState.label;
      await client.press(key);
      // a new dialog doesn't take keys yet: press again unless something happened
      await waitFor(() => latest?.agentState.label !== before, { what: 'the key to be taken', timeout: 3000 }).catch(
        () => client.press(key),
      );
      await rest(state, label);
    },
  };

  await rest('idle', 'Waiting for first prompt');
  await flow.prompt('make a file', 'needs_permission', 'Needs permission: Bash');
  await client.waitForScreen(/Do you want to proceed/);
  await flow.press('Enter', 'idle', 'Waiting for your next prompt');
  await flow.prompt('ask me', 'awaiting_input', 'Asked you a question');
  await client.waitForScreen(/Which color/);
  await flow.press('Enter', 'idle', 'Waiting for your next prompt');
  await client.press('BTab');
  await client.press('BTab');
  await client.waitForScreen(/plan mode/);
  await flow.prompt('plan it', 'awaiting_approval', 'Plan ready for review');
  await flow.press('Enter', 'idle', 'Waiting for your next prompt');
  await flow.prompt('delegate', 'needs_permission', 'Needs permission: Bash');
  await client.waitForScreen(/Do you want to proceed/);
  expect(latest?.subAgents).toMatchObject([
    { type: 'general-purpose', description: 'helper', agentState: { state: 'needs_permission' } },
  ]);
  await waitFor(() => columnOf(latest!) === 'needs_you', {
    what: 'the waiting subagent to move the card',
    timeout: 60_000,
  });
  await flow.press('Enter', 'idle', 'Waiting for your next prompt');
  await flow.prompt('think hard', 'thinking', 'Processing prompt...');
  await flow.press('Escape', 'interrupted', 'You interrupted the agent');
  await flow.prompt('run long', 'acting', `Running: ${longCommand}`);
  await flow.press('Escape', 'interrupted', 'You interrupted the agent');
  await flow.prompt('make another', 'needs_permission', 'Needs permission: Bash');
  await client.waitForScreen(/Do you want to proceed/);
  await flow.press('Escape', 'idle', 'Denied: Bash');
  await client.exit();
  await waitFor(() => latest?.status === 'done', { what: 'the end of the session', timeout: 60_000 });

  expectSequence(seen, [
    'needs_you idle | Waiting for first prompt',
    // prompt, tool, permission dialog
    'autonomous thinking | Processing prompt...',
    'autonomous acting | Reading README.md',
    'autonomous thinking | Thinking...',
    'autonomous acting | Running: touch one.txt',
    'needs_you needs_permission | Needs permission: Bash',
    '? autonomous acting | Running: touch one.txt',
    'autonomous thinking | Thinking...',
    'needs_you idle | Waiting for your next prompt',
    // question
    'autonomous thinking | Processing prompt...',
    'needs_you awaiting_input | Asked you a question',
    '? autonomous acting | Using AskUserQuestion',
    'autonomous thinking | Thinking...',
    'needs_you idle | Waiting for your next prompt',
    // plan
    'autonomous thinking | Processing prompt...',
    'needs_you awaiting_approval | Plan ready for review',
    '? autonomous acting | Using ExitPlanMode',
    'autonomous thinking | Thinking...',
    'needs_you idle | Waiting for your next prompt',
    // a subagent that needs a permission after its parent has stopped
    'autonomous thinking | Processing prompt...',
    'autonomous acting | Agent: helper',
    'autonomous delegating | Running general-purpose agent',
    'autonomous thinking | Thinking...',
    '? autonomous delegating | Running general-purpose agent',
    'needs_you needs_permission | Needs permission: Bash',
    'autonomous delegating | Running general-purpose agent',
    'autonomous acting | general-purpose agent finished',
    'autonomous thinking | Processing prompt...',
    'needs_you idle | Waiting for your next prompt',
    // Esc while thinking, mid-tool, on a dialog
    'autonomous thinking | Processing prompt...',
    'needs_you interrupted | You interrupted the agent',
    'autonomous thinking | Processing prompt...',
    `autonomous acting | Running: ${longCommand}`,
    'needs_you interrupted | You interrupted the agent',
    'autonomous thinking | Processing prompt...',
    'autonomous acting | Running: touch two.txt',
    'needs_you needs_permission | Needs permission: Bash',
    'needs_you idle | Denied: Bash',
    'delivered session_ended | Session closed',
  ]);
});

async function viewerToken(daemon: DaemonProcess): Promise<string> {
  const call = apiCaller(daemon);
  const { code } = (await call('POST', '/api/links', { role: 'viewer' })).json;
  return (await call('POST', '/api/pair', { code })).json.token;
}

/** A line with a question mark is optional: it depends on which of two client messages comes first. */
function expectSequence(seen: string[], lines: string[]): void {
  const rest = [...seen];
  const expected = lines.flatMap((line) => {
    if (!line.startsWith('? ')) {
      rest.shift();
      return [line];
    }
    if (rest[0] !== line.slice(2)) return [];
    rest.shift();
    return [line.slice(2)];
  });
  expect(seen).toEqual(expected);
}
