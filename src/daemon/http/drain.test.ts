import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { HOOK_PATH } from '../../contract/routes/hooks.ts';
import { prepareDrain } from './drain.ts';

test('closes a hook connection after an answer, and waits for it', async () => {
  const { drain, hook, clock } = await setUp();
  expect(await hook()).toBe('keep-alive');
  const drained = drain();
  // a session's next hook arrives at any time
  clock.at = 600;
  await sleep(100);
  expect(drained.isOver).toBe(false);
  expect(await hook()).toBe('close');
  await drained.done;
});

test("doesn't wait for a silent connection", async () => {
  const { drain, hook, clock } = await setUp();
  expect(await hook()).toBe('keep-alive');
  clock.at = 1500;
  const drained = drain();
  clock.at = 1800;
  await drained.done;
});

async function setUp() {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'));
  });
  onTestFinished(() => void server.closeAllConnections());
  const clock = { at: 0 };
  const drainServer = prepareDrain(server, () => clock.at);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  return {
    clock,
    drain() {
      const state = { isOver: false, done: Promise.resolve() };
      state.done = drainServer().then(() => {
        state.isOver = true;
      });
      return state;
    },
    async hook() {
      const asked = request({ host: '127.0.0.1', port, path: HOOK_PATH, method: 'POST', agent }).end('{}');
      const [response] = await once(asked, 'response');
      response.resume();
      return response.headers.connection;
    },
  };
}
