import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSse, type SseMessage } from '../../../test/kit/sse-client.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const open = (lastEventId?: number) =>
  openSse({ url: daemon.url, token: daemon.localToken, ...(lastEventId === undefined ? {} : { lastEventId }) });
const prompt = (session_id: string) =>
  daemon.hook({ session_id, hook_event_name: 'UserPromptSubmit', prompt: session_id });

it('sends the current state first, then events, each with its position', async () => {
  await prompt('s1');
  await prompt('s2');
  const stream = await open();
  await expect
    .poll(() => stream.messages.map(({ event }) => event))
    .toEqual(['summary', 'session_discovered', 'session_discovered']);
  expect(stream.messages[0]).toMatchObject({
    id: undefined,
    data: { autonomousCount: 2, needsYouCount: 0, deliveredCount: 0, reset: true },
  });
  const head = stream.messages.at(-1)?.id ?? 0;
  await daemon.hook({ session_id: 's1', hook_event_name: 'PostToolUseFailure', tool_name: 'Bash', tool_input: {} });
  await expect
    .poll(() => stream.messages.at(-1))
    .toMatchObject({
      event: 'session_updated',
      data: { id: 's1', agentState: { state: 'thinking', label: 'Failed: Bash' } },
    });
  expect(stream.messages.at(-1)?.id).toBe(head + 1);
  await prompt('s3');
  await expect
    .poll(() => stream.messages.some(({ event, data }) => event === 'session_discovered' && data.id === 's3'))
    .toBe(true);
  await daemon.call('DELETE', '/api/sessions/s3');
  await expect
    .poll(() => stream.messages.at(-1))
    .toMatchObject({ event: 'session_removed', data: { sessionId: 's3' } });
  stream.close();
});

it('sends everything in one message on request', async () => {
  await prompt('s1');
  const stream = await openSse({ url: daemon.url, token: daemon.localToken, query: '?picture=whole' });
  await expect.poll(() => stream.messages.length).toBe(1);
  const [{ id, event, data }] = stream.messages as [SseMessage];
  expect([event, data.reset]).toEqual(['summary', true]);
  expect(data.sessions).toEqual((await daemon.call('GET', '/api/sessions')).json.sessions);
  await prompt('s1');
  await expect.poll(() => stream.messages.at(-1)).toMatchObject({ event: 'session_updated', id: (id ?? 0) + 1 });
  stream.close();
});

it('alerts the operator once a state has settled', async () => {
  const stream = await open();
  await prompt('wait');
  await daemon.hook({ session_id: 'wait', hook_event_name: 'Stop' });
  const attention = () => stream.messages.filter(({ data }) => data.id === 'wait').map(({ data }) => data.attention);
  await expect.poll(attention, { timeout: 20_000 }).toEqual(['none', 'settling', 'settled']);
  stream.close();
});

it('replays what a client missed, once and in order', async () => {
  const first = await open();
  const newest = () => first.messages.findLast(({ id }) => id !== undefined)?.id ?? 0;
  await expect.poll(newest).toBeGreaterThan(0);
  const seen = newest();
  first.close();
  for (let n = 0; n < 5; n++) await prompt('s1');
  const again = await open(seen);
  await expect
    .poll(() => again.messages.filter(({ event }) => event.startsWith('session_')).length)
    .toBeGreaterThanOrEqual(5);
  const byQuery = await openSse({ url: daemon.url, token: daemon.localToken, query: `?after=${seen}` });
  // totals may be announced in between, to those who watch by then
  const placed = ({ messages }: typeof again) => messages.filter(({ id }) => id !== undefined);
  await expect.poll(() => placed(byQuery)).toEqual(placed(again));
  byQuery.close();
  const ids = again.messages.flatMap(({ id }) => (id === undefined ? [] : [id]));
  expect(ids).toEqual(ids.map((_, index) => seen + 1 + index));
  expect(again.messages.some(({ event, data }) => event === 'summary' && data.reset)).toBe(false);
  again.close();
});

it('resets a client with an unknown position', async () => {
  const stream = await open(999_999);
  await expect.poll(() => stream.messages[0]).toMatchObject({ event: 'summary', data: { reset: true } });
  stream.close();
});

it('sends a client that slept the latest state of each session, and stays small meanwhile', async () => {
  const big = 'x'.repeat(1900);
  const tool = (n: number) =>
    daemon.hook({
      session_id: 's1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: `echo ${n}`, a: big, b: big, c: big, d: big },
    });
  // what is kept for clients that reconnect is full before anything is measured
  for (let n = 0; n < 2100; n++) await tool(0);
  const sleeper = await open();
  await expect.poll(() => sleeper.messages.length).toBeGreaterThan(0);
  sleeper.pause();
  const before = heldBytes();
  for (let n = 1; n <= 3000; n++) await tool(n);
  expect(heldBytes() - before).toBeLessThan(20_000_000);
  sleeper.resume();
  const ofS1 = () => sleeper.messages.filter(({ event, data }) => event === 'session_updated' && data.id === 's1');
  await expect.poll(() => ofS1().at(-1)?.data.agentState.label, { timeout: 20_000 }).toBe('Running: echo 3000');
  expect(ofS1().length).toBeLessThan(2900);
  sleeper.close();
});

/** What is still referred to, heap and buffers: garbage does not count, however late it is collected. */
function heldBytes(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
