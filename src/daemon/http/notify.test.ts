import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BrowserKey, makeBrowserKey } from '../../../test/kit/browser-key.ts';
import { listenOnLoopback } from '../../../test/kit/loopback-server.ts';
import { pair } from '../../../test/kit/pair.ts';
import { startPushEndpoint } from '../../../test/kit/push-endpoint.ts';
import { startTestDaemon, type TestDaemon } from '../../../test/kit/test-daemon.ts';
import type { Channel, Notification } from '../../contract/notify.ts';

let daemon: TestDaemon;
let push: Awaited<ReturnType<typeof startPushEndpoint>>;
let receiver: Awaited<ReturnType<typeof listenOnLoopback>>;
const received: { type: string; data: Record<string, unknown> }[] = [];

beforeAll(async () => {
  push = await startPushEndpoint();
  receiver = await listenOnLoopback((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      received.push(JSON.parse(body));
      response.end();
    });
  });
  const notifyHosts = [push.host, new URL(receiver.url).host];
  daemon = await startTestDaemon({ preferences: { settleMs: 100, notifyHosts } });
});
afterAll(async () => {
  await daemon.dispose();
  await push.close();
  await receiver.close();
});

const channels = async (): Promise<Channel[]> => (await daemon.call('GET', '/api/notify/channels')).json.channels;

/** A session that waits for a permission until it is answered. */
async function ask(session_id: string, command: string) {
  const call = { session_id, tool_name: 'Bash', tool_input: { command }, cwd: daemon.folder };
  await daemon.hook({ ...call, hook_event_name: 'PreToolUse', tool_use_id: `t-${session_id}` });
  const answer = daemon.hook({ ...call, hook_event_name: 'PermissionRequest' });
  const list = async () =>
    (await daemon.call('GET', `/api/approvals?status=pending&sessionId=${session_id}`)).json.approvals;
  await expect.poll(list).toHaveLength(1);
  const id: string = (await list())[0].id;
  return {
    id,
    answer,
    decide: () => daemon.call('POST', `/api/approvals/${id}/decision`, { body: { decision: 'allow' } }),
  };
}

async function pairBrowser(key: BrowserKey) {
  const code = new URL(daemon.link()).searchParams.get('code');
  const paired = await daemon.call('POST', '/api/pair', { token: false, body: { code, key: key.spki } });
  const { json: refusal } = await daemon.call('GET', '/api/sessions', { token: false });
  const deviceId: string = paired.json.device.id;
  return { deviceId, authorization: await key.authorization({ deviceId, run: refusal.error.run }) };
}

it('notifies a webhook of an approval and its decision, without the command unless details are allowed', async () => {
  const made = await daemon.call('POST', '/api/notify/channels', {
    body: { name: 'Ops', target: { kind: 'webhook', url: receiver.url } },
  });
  expect(made.json).toMatchObject({ secret: expect.stringMatching(/^whsec_/), channel: { kind: 'webhook' } });
  const { id, answer, decide } = await ask('told', 'echo top-secret-plan');
  await expect.poll(() => received.length).toBe(1);
  expect(received[0]).toMatchObject({ type: 'notice.raised', data: { approvalId: id, kind: 'permission' } });
  expect(JSON.stringify(received)).not.toContain('top-secret-plan');
  await decide();
  await answer;
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]).toMatchObject({ type: 'notice.settled', data: { approvalId: id, outcome: 'Allowed' } });
  const patched = await daemon.call('PATCH', `/api/notify/channels/${made.json.channel.id}`, {
    body: { details: true },
  });
  expect(patched.json.channel).toMatchObject({ details: true, recent: [{ state: 'accepted' }, { state: 'accepted' }] });
  const second = await ask('detailed', 'deploy --token ghp_0123456789abcdefghijklmnopqrstuvwxyz');
  await expect.poll(() => received.length).toBe(3);
  expect(received[2]?.data.body).toContain('Bash: deploy --token');
  expect(JSON.stringify(received)).not.toContain('ghp_0123456789');
  await second.decide();
  await daemon.call('DELETE', `/api/notify/channels/${made.json.channel.id}`);
});

it('never shows the secrets of a channel again', async () => {
  const token = `777:${'s'.repeat(30)}`;
  const made = await daemon.call('POST', '/api/notify/channels', {
    body: { name: 'Chat', enabled: false, target: { kind: 'telegram', token, chatId: '5' } },
  });
  expect(made.status).toBe(200);
  expect(JSON.stringify([made.json, await channels()])).not.toContain(token);
  await daemon.call('DELETE', `/api/notify/channels/${made.json.channel.id}`);
});

it('pushes to a paired browser, takes its receipt, and forgets it when it is revoked', async () => {
  const browser = await pairBrowser(await makeBrowserKey());
  const headers = { authorization: browser.authorization };
  const subscribed = await daemon.call('PUT', '/api/notify/push', { token: false, headers, body: push.subscription });
  expect(subscribed.json.channel).toMatchObject({ kind: 'push', deviceId: browser.deviceId, broken: null });
  const channelId: string = subscribed.json.channel.id;
  const again = await daemon.call('PUT', '/api/notify/push', { token: false, headers, body: push.subscription });
  expect(again.json.channel.id).toBe(channelId);

  const test: Notification = (await daemon.call('POST', `/api/notify/channels/${channelId}/test`)).json;
  await expect.poll(() => push.pushed.length).toBe(1);
  const message = JSON.parse(push.pushed[0]!.text);
  expect(message).toMatchObject({ id: test.id, part: 'test', title: 'Test from Ground Control' });
  const read = async (): Promise<Notification> =>
    (await daemon.call('GET', `/api/notify/notifications/${test.id}`)).json;
  await expect.poll(async () => (await read()).state).toBe('accepted');
  const receipt = (token: string) =>
    daemon.call('POST', '/api/notify/receipts', { token: false, body: { id: test.id, token } });
  expect((await receipt('wrong')).status).toBe(404);
  expect((await receipt(message.token)).status).toBe(204);
  expect(await read()).toMatchObject({ state: 'shown', shownAt: expect.any(Number) });

  push.answers.push({ status: 410 });
  await daemon.call('POST', `/api/notify/channels/${channelId}/test`);
  await expect.poll(async () => (await channels())[0]?.broken).toBe('HTTP 410');
  await daemon.call('DELETE', `/api/devices/${browser.deviceId}`);
  expect(await channels()).toEqual([]);
});

it('refuses addresses that a browser or operator must not make it call', async () => {
  const browser = await pairBrowser(await makeBrowserKey());
  for (const endpoint of [
    'https://evil.example/push',
    'https://fcm.googleapis.com.evil.example/x',
    'https://fcm.googleapis.com:8443/x',
    'http://fcm.googleapis.com/x',
    'https://127.0.0.1/push',
  ]) {
    const body = { ...push.subscription, endpoint };
    const headers = { authorization: browser.authorization };
    const { status, json } = await daemon.call('PUT', '/api/notify/push', { token: false, headers, body });
    expect([endpoint, status, json.error?.code]).toEqual([endpoint, 400, 'channel.unknown_push_service']);
  }
  const made = await daemon.call('POST', '/api/notify/channels', {
    body: { name: 'Metadata', target: { kind: 'webhook', url: 'https://169.254.169.254/latest' } },
  });
  const { json: test } = await daemon.call('POST', `/api/notify/channels/${made.json.channel.id}/test`);
  const read = async () => (await daemon.call('GET', `/api/notify/notifications/${test.id}`)).json;
  await expect.poll(read).toMatchObject({ state: 'failed', error: expect.stringContaining('private address') });
  expect((await daemon.call('POST', `/api/notify/notifications/${test.id}/retry`)).json.state).toBe('waiting');
});

it('takes patterns for what may be answered from a notification, and refuses one that cannot match', async () => {
  const blind = [{ toolName: 'Bash', parameters: { command: 'npm test' } }];
  const saved = await daemon.call('PUT', '/api/notify/settings', { body: { contact: null, blind } });
  expect(saved.json).toEqual({ contact: null, blind });
  const bad = await daemon.call('PUT', '/api/notify/settings', {
    body: { contact: 'me', blind: [{ toolName: 'Bash', parameters: { command: '{' } }] },
  });
  expect(bad.status).toBe(400);
});

it('keeps viewers from changing channels, and records every change', async () => {
  const token = await pair(daemon.link());
  const { json: link } = await daemon.call('POST', '/api/links', { token, body: { role: 'viewer' } });
  const { json: paired } = await daemon.call('POST', '/api/pair', { token: false, body: { code: link.code } });
  const body = { name: 'Mine', target: { kind: 'desktop' } };
  expect((await daemon.call('POST', '/api/notify/channels', { token: paired.token, body })).status).toBe(403);
  const { json: audit } = await daemon.call('GET', '/api/audit');
  const names = audit.entries.map(({ action }: { action: string }) => action);
  expect(names).toEqual(expect.arrayContaining(['notify.channel_added', 'notify.channel_removed', 'notify.settings']));
});
