import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { HOOK_PATH } from '../hooks/own-hook.ts';
import { prepareDrain } from './drain.ts';

test('a connection that hooks come by is ended after an answer, and waited for', async () => {
  const server = createServer((incoming, response) => {
    incoming.resume().on('end', () => response.end('{}'));
  });
  onTestFinished(() => void server.closeAllConnections());
  const drain = prepareDrain(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const hook = async () => {
    const asked = request({ host: '127.0.0.1', port, path: HOOK_PATH, method: 'POST', agent }).end('{}');
    const [response] = await once(asked, 'response');
    response.resume();
    return response.headers.connection;
  };

  expect(await hook()).toBe('keep-alive');
  let isDrained = false;
  const drained = drain().then(() => {
    isDrained = true;
  });
  // the next hook of a session comes when it comes
  await sleep(600);
  expect(isDrained).toBe(false);
  expect(await hook()).toBe('close');
  await drained;
});
