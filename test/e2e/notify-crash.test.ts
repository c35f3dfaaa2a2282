import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import type { Channel, Notification } from '../../src/contract/notify.ts';
import { apiCaller } from '../kit/call-api.ts';
import { type DaemonProcess, newHome, startDaemonProcess } from '../kit/daemon-process.ts';
import { freePort } from '../kit/free-port.ts';
import { waitFor } from '../kit/wait.ts';

/* Kills the real daemon repeatedly in the middle of an escalation: nothing is sent twice, nothing is lost. */

let daemon: DaemonProcess;
let server: Server | undefined;
const home = newHome();
/** What a receiver got: the channel, and the id that stays the same across attempts. */
const got: { to: string; id: string; type: string; sessionId: string; noticeId: string }[] = [];
/** Receivers that answer with this instead of 200. */
const answers = new Map<string, number>();

afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
  await daemon.dispose();
});

async function listen(port: number): Promise<void> {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const to = (request.url ?? '').slice(1);
      const status = answers.get(to) ?? 200;
      const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as {
        type: string;
        data: { sessionId: string; noticeId: string };
      };
      if (status === 200) got.push({ to, id: String(request.headers['webhook-id']), type, ...data });
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server?.listen(port, '127.0.0.1', resolve));
}

async function start(args: string[] = []): Promise<void> {
  const before = daemon as DaemonProcess | undefined;
  daemon = await startDaemonProcess({ home, args: ['--no-hooks', ...args] });
  // its first link was used before it was killed
  if (before) daemon.operatorToken ||= before.operatorToken;
}

const call = (...args: Parameters<ReturnType<typeof apiCaller>>) => apiCaller(daemon)(...args);
const notifications = async (): Promise<Notification[]> =>
  (await call('GET', '/api/notify/notifications')).json.notifications;

/** Its caller hangs up when the daemon is killed, like a client that was closed. */
function hook(session_id: string, hook_event_name: string): Promise<unknown> {
  return fetch(`${daemon.url}/api/live/hook`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-groundcontrol-token': daemon.credentials.hookToken },
    body: JSON.stringify({
      session_id,
      cwd: '/work/app',
      hook_event_name,
      prompt: 'Go on',
      tool_name: 'Bash',
      tool_input: { command: `touch ${session_id}` },
    }),
  }).catch(() => undefined);
}

it('neither repeats nor loses a notification over kill -9, an offline receiver and an expired subscription', async () => {
  const port = await freePort();
  await start();
  const operatorToken = daemon.operatorToken;
  const preferences = join(daemon.dataDir, 'preferences.json');
  const known = JSON.parse(readFileSync(preferences, 'utf8')) as object;
  writeFileSync(preferences, JSON.stringify({ ...known, notifyHosts: [`127.0.0.1:${port}`] }));
  await daemon.kill('SIGKILL');
  await start();
  daemon.operatorToken = operatorToken;
  await call('PUT', '/api/away', { away: true });
  const add = async (name: string, more: object = {}): Promise<Channel> =>
    (
      await call('POST', '/api/notify/channels', {
        name,
        target: { kind: 'webhook', url: `http://127.0.0.1:${port}/${name}` },
        ...more,
      })
    ).json.channel;
  const first = await add('phone');
  await add('tablet', { after: first.id, delaySeconds: 4 });
  await add('gone', { after: first.id, delaySeconds: 4 });
  answers.set('gone', 410);

  // no receiver yet: the phone is offline
  const asked = ['one', 'two', 'three'];
  for (const session of asked) void hook(session, 'PermissionRequest');
  await waitFor(async () => (await notifications()).filter(({ attempts }) => attempts > 0).length >= 3 || undefined, {
    what: 'a first attempt for each',
    timeout: 60_000,
  });
  for (let round = 0; round < 4; round++) {
    await daemon.kill('SIGKILL');
    if (round === 1) await listen(port);
    await start();
    daemon.operatorToken = operatorToken;
    await new Promise((resolve) => setTimeout(resolve, 500 + round * 700));
  }
  const raised = (to: string) => got.filter((one) => one.to === to && one.type === 'notice.raised');
  await expect.poll(() => raised('phone').length, { timeout: 90_000 }).toBe(3);
  await expect.poll(() => raised('tablet').length, { timeout: 90_000 }).toBe(3);
  for (const to of ['phone', 'tablet']) expect(new Set(raised(to).map(({ sessionId }) => sessionId)).size, to).toBe(3);
  await expect
    .poll(
      async () =>
        ((await call('GET', '/api/notify/channels')).json.channels as Channel[]).find(({ name }) => name === 'gone')
          ?.broken,
    )
    .toEqual(expect.any(String));

  // one more kill while withdrawing them: the requests were answered in the terminals
  for (const session of asked) await hook(session, 'UserPromptSubmit');
  await daemon.kill('SIGKILL');
  await start();
  daemon.operatorToken = operatorToken;
  const settled = () => got.filter(({ type }) => type === 'notice.settled');
  await expect.poll(() => settled().length, { timeout: 60_000 }).toBe(6);
  // message ids are unique, and each channel hears of a wait once
  await new Promise((resolve) => setTimeout(resolve, 3000));
  const delivered = got.map(({ to, type, noticeId }) => `${to} ${type} ${noticeId}`);
  expect(delivered.length).toBe(new Set(delivered).size);
  expect(new Set(got.map(({ id }) => id)).size).toBe(got.length);
});
