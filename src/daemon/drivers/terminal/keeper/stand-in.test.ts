import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { HOOK_PATH } from '../../../../contract/routes/hooks.ts';
import { standIn, waitForStandIn } from './stand-in.ts';

test('lets hooks pass, and hands the port to a waiting daemon', async () => {
  const placed = await standIn({ port: 0 }, { stayMs: 3_600_000 });
  const url = `http://127.0.0.1:${placed!.port}`;
  expect(await (await fetch(url + HOOK_PATH, { method: 'POST', body: '{}' })).json()).toEqual({});
  expect((await fetch(`${url}/healthz`)).status).toBe(503);

  const left = placed!.leaveSoon();
  await waitForStandIn(placed!.port);
  await left;
  const next = createServer();
  await new Promise<void>((resolve, reject) => next.once('error', reject).listen(placed!.port, '127.0.0.1', resolve));
  next.close();
});

test('stays until the hooks have left the settings, even if a daemon waits', async () => {
  const placed = await standIn({ port: 0 }, { stayMs: 3_600_000 });
  const waiting = waitForStandIn(placed!.port).then(() => 'left');
  const stillThere = async () => (await fetch(`http://127.0.0.1:${placed!.port}/healthz`)).status;
  expect(await stillThere()).toBe(503);
  expect(await Promise.race([waiting, Promise.resolve('waits')])).toBe('waits');
  await placed!.leaveSoon();
  expect(await waiting).toBe('left');
});
