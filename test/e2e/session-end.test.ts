import { expect, onTestFinished, test } from 'vitest';
import type { LiveSession } from '../../src/contract/sessions.ts';
import { startDaemonWithClient } from '../kit/daemon-with-client.ts';
import { startInteractive } from '../kit/real-client.ts';
import { callTool, say, thinkForever } from '../kit/scripted-answer.ts';
import { openSse } from '../kit/sse-client.ts';
import { waitFor } from '../kit/wait.ts';

const scenario = [
  { when: 'hello', reply: [say('Hello yourself.')] },
  { when: 'think hard', reply: [thinkForever()] },
  { when: 'make a file', reply: [callTool('Bash', { command: 'touch one.txt' }), say('Made.')] },
];

/** Every state of a session, with the time it was reported. */
async function follow({ daemon }: Awaited<ReturnType<typeof startDaemonWithClient>>) {
  const stream = await openSse({ url: daemon.url, token: daemon.credentials.localToken });
  onTestFinished(() => void stream.close());
  const seen: { at: number; session: LiveSession }[] = [];
  const note = (data: LiveSession) => void (data?.agentState && seen.push({ at: Date.now(), session: data }));
  for (const { data } of stream.messages) note(data);
  stream.onMessage = ({ data }) => note(data);
  const waitForState = (id: string, state: string) =>
    waitFor(() => seen.find(({ session }) => session.id === id && session.agentState.state === state), {
      what: `${id} to be ${state}`,
      timeout: 60_000,
      context: () => seen.map(({ session }) => `${session.id} ${session.agentState.state}`),
    });
  return { seen, waitForState };
}

test.each([
  ['idle', 'hello', 'idle'],
  ['thinking', 'think hard', 'thinking'],
  ['waiting for a permission', 'make a file', 'needs_permission'],
])('a killed session that was %s ends within ten seconds', async (_what, prompt, state) => {
  const world = await startDaemonWithClient(scenario);
  const { client } = world;
  const { waitForState } = await follow(world);
  const id = await client.sessionId();
  await client.prompt(prompt);
  await waitForState(id, state);
  const killedAt = Date.now();
  process.kill(client.pid, 'SIGKILL');
  const { at, session } = await waitForState(id, 'session_ended');
  expect(at - killedAt).toBeLessThan(10_000);
  expect(session).toMatchObject({ status: 'done', agentState: { group: 'delivered' } });
  const { approvals } = (await world.call('GET', '/api/approvals')).json;
  expect(approvals.filter(({ status }: { status: string }) => status === 'pending')).toEqual([]);
});

test('/clear ends one session and starts another in the same process; /exit ends that; a resumed one is live again', async () => {
  const world = await startDaemonWithClient(scenario);
  const { client, call } = world;
  const { waitForState } = await follow(world);
  const first = await client.sessionId();
  await client.prompt('hello');
  await client.waitForScreen(/Hello yourself/);
  await client.prompt('/clear');
  expect((await waitForState(first, 'session_ended')).session).toMatchObject({ endReason: 'clear' });
  const second = await waitFor(
    async () => {
      const id = await client.sessionId();
      return id === first ? undefined : id;
    },
    { what: 'the new session' },
  );
  await waitForState(second, 'idle');
  await expect
    .poll(async () => (await call('GET', `/api/sessions/${second}`)).json, { timeout: 60_000 })
    .toMatchObject({ pid: client.pid, status: 'paused' });
  await client.exit();
  await waitForState(second, 'session_ended');

  const again = await startInteractive(world.home, { args: ['--resume', first] });
  onTestFinished(again.dispose);
  expect(await again.sessionId()).toBe(first);
  await waitFor(
    async () => {
      const { json } = await call('GET', `/api/sessions/${first}`);
      return json.pid === again.pid && json.endedAt === null;
    },
    { what: 'the resumed session to be live', timeout: 60_000 },
  );
});
