import { createHmac } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { listenOnLoopback } from '../../../../test/kit/loopback-server.ts';
import { startMailServer } from '../../../../test/kit/mail-server.ts';
import { startPushEndpoint } from '../../../../test/kit/push-endpoint.ts';
import type { Outgoing } from '../outgoing.ts';
import { createPost } from '../post.ts';
import { discordSender, ntfySender, slackSender, telegramSender } from './chat.ts';
import { commandFor } from './desktop.ts';
import { emailSender } from './email.ts';
import { payloadOf, pushSender } from './push.ts';
import { newWebhookSecret, webhookSender } from './webhook.ts';

const MESSAGE: Outgoing = {
  id: 'n1',
  part: 'notice',
  tag: 'notice-1',
  title: 'Permission needed: <fix> the *build*',
  body: 'api · Bash: npm test',
  kind: 'permission',
  path: '/inbox?open=a1',
  url: 'https://tower.example/inbox?open=a1',
  sessionId: 's1',
  project: 'api',
  approvalId: 'a1',
  outcome: undefined,
  blind: true,
  token: 'receipt',
  waiting: 3,
  createdAt: 0,
  ref: undefined,
};

interface Got {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function service(answer: { status?: number; headers?: Record<string, string>; body?: string } = {}) {
  const got: Got[] = [];
  const { url, close } = await listenOnLoopback((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      body += chunk;
    });
    request.on('end', () => {
      got.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
      response.writeHead(answer.status ?? 200, answer.headers).end(answer.body ?? 'ok');
    });
  });
  closing.push(close);
  return { url, got, post: createPost({ allowedHosts: () => [new URL(url).host] }) };
}

it('signs a webhook so that its receiver can verify it', async () => {
  const { url, got, post } = await service();
  const secret = newWebhookSecret();
  const sent = await webhookSender({ post, now: () => 1_700_000_000_000 }).send(MESSAGE, {
    kind: 'webhook',
    url,
    secret,
  });
  expect(sent).toEqual({ ok: true });
  const { headers, body } = got[0]!;
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(`n1.1700000000.${body}`).digest('base64');
  expect(headers).toMatchObject({ 'webhook-id': 'n1', 'webhook-signature': `v1,${expected}` });
  expect(JSON.parse(body)).toMatchObject({ type: 'notice.raised', data: { approvalId: 'a1', kind: 'permission' } });
});

it('maps a response to the next attempt', async () => {
  const outcomes = [];
  for (const answer of [
    { status: 410 },
    { status: 400, body: 'invalid_payload' },
    { status: 503, headers: { 'retry-after': '7' } },
    { status: 302, headers: { location: 'http://169.254.169.254/' } },
  ]) {
    const { url, post } = await service({ body: '', ...answer });
    outcomes.push(await slackSender(post).send(MESSAGE, { kind: 'slack', url }));
  }
  expect(outcomes).toMatchObject([
    { ok: false, error: 'HTTP 410', final: true, broken: true },
    { ok: false, error: 'HTTP 400: invalid_payload', final: true },
    { ok: false, error: 'HTTP 503', retryAfterMs: 7000 },
    { ok: false, final: true },
  ]);
});

it('refuses private addresses in every spelling, and plain http, unless the host is listed', async () => {
  const post = createPost({ allowedHosts: () => [] });
  const urls = [
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://[::ffff:127.0.0.1]/x',
    'https://2130706433/x',
    'https://localhost/x',
    'https://169.254.169.254/latest/meta-data',
    'https://10.0.0.1/x',
    'https://[fd00::1]/x',
    'http://example.com/x',
  ];
  for (const url of urls) {
    const sent = await slackSender(post).send(MESSAGE, { kind: 'slack', url });
    expect(sent, url).toMatchObject({ ok: false, final: true });
  }
});

it('escapes Slack and Discord markup and mentions', async () => {
  const { url, got, post } = await service({ body: '{"id":"42"}' });
  await slackSender(post).send(MESSAGE, { kind: 'slack', url });
  const discord = await discordSender(post).send({ ...MESSAGE, title: '@everyone **now**' }, { kind: 'discord', url });
  expect(JSON.parse(got[0]!.body).text).toContain('*Permission needed: &lt;fix&gt; the *build**');
  expect(discord).toEqual({ ok: true, ref: '42' });
  expect(JSON.parse(got[1]!.body)).toMatchObject({ allowed_mentions: { parse: [] } });
  await discordSender(post).send({ ...MESSAGE, part: 'settled', ref: '42' }, { kind: 'discord', url: `${url}/hook` });
  expect(got[2]).toMatchObject({ method: 'PATCH', url: '/hook/messages/42' });
});

it('posts to Telegram, edits the message when it is settled, and keeps the bot token out of errors', async () => {
  const { url, got, post } = await service({ body: '{"ok":true,"result":{"message_id":7}}' });
  const target = { kind: 'telegram' as const, token: `123:${'x'.repeat(30)}`, chatId: '99', api: url };
  expect(await telegramSender(post).send(MESSAGE, target)).toEqual({ ok: true, ref: '7' });
  await telegramSender(post).send({ ...MESSAGE, part: 'settled', ref: '7' }, target);
  expect(got.map((one) => one.url.split('/').at(-1))).toEqual(['sendMessage', 'editMessageText']);
  expect(JSON.parse(got[1]!.body)).toMatchObject({ message_id: 7, chat_id: '99' });
  const gone = await telegramSender(post).send(MESSAGE, { ...target, api: 'http://127.0.0.1:9' });
  expect(JSON.stringify(gone)).not.toContain(target.token);
});

it('publishes to an ntfy topic with its token', async () => {
  const { url, got, post } = await service();
  await ntfySender(post).send(MESSAGE, { kind: 'ntfy', url: `${url}/my-topic`, token: 'tk' });
  expect(got[0]).toMatchObject({ url: '/', headers: { authorization: 'Bearer tk' } });
  expect(JSON.parse(got[0]!.body)).toMatchObject({ topic: 'my-topic', click: MESSAGE.url });
});

it('sends e-mail through SMTP', async () => {
  const { mails, port, close } = await startMailServer();
  closing.push(close);
  const target = {
    kind: 'email' as const,
    host: '127.0.0.1',
    port,
    secure: false,
    from: 'gc@example.com',
    to: 'me@example.com',
  };
  expect(await emailSender({ allowedHosts: () => ['127.0.0.1'] }).send(MESSAGE, target)).toEqual({ ok: true });
  expect(mails[0]).toContain('Subject: Permission needed: <fix> the *build*');
  const refused = await emailSender({ allowedHosts: () => [] }).send(MESSAGE, target);
  expect(refused).toMatchObject({ ok: false, final: true });
});

it('encrypts a push message for its browser and signs it, within the size a service takes', async () => {
  const endpoint = await startPushEndpoint();
  closing.push(endpoint.close);
  const { default: webPush } = await import('web-push');
  const keys = webPush.generateVAPIDKeys();
  const sender = pushSender({
    post: createPost({ allowedHosts: () => [endpoint.host] }),
    keys: async () => keys,
    contact: () => 'mailto:me@example.com',
    now: Date.now,
  });
  const target = { kind: 'push' as const, ...endpoint.subscription };
  expect(await sender.send({ ...MESSAGE, body: '界'.repeat(3000) }, target)).toEqual({ ok: true });
  const [{ text, headers, vapid }] = endpoint.pushed as [(typeof endpoint.pushed)[0]];
  expect(JSON.parse(text)).toMatchObject({ id: 'n1', token: 'receipt', approvalId: 'a1', blind: true });
  expect(headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' });
  expect(String(headers.topic)).toMatch(/^[\w-]{1,32}$/);
  expect(vapid).toMatchObject({ sub: 'mailto:me@example.com', aud: new URL(endpoint.url).origin });
  expect(Buffer.byteLength(payloadOf({ ...MESSAGE, body: '界'.repeat(3000) }))).toBeLessThan(3993);

  endpoint.answers.push({ status: 410 }, { status: 403 }, { status: 503 });
  expect(await sender.send(MESSAGE, target)).toMatchObject({ ok: false, broken: true });
  expect(await sender.send(MESSAGE, target)).toMatchObject({ ok: false, broken: true });
  expect(await sender.send(MESSAGE, target)).toEqual({ ok: false, error: 'HTTP 503' });
});

it('passes text to desktop notifications as arguments, never as options or script', () => {
  const hostile = { title: '--hint=evil', body: '" & do shell script "id' };
  expect(commandFor(hostile, false, 'linux')).toEqual([
    'notify-send',
    ['--app-name=Ground Control', '--', hostile.title, hostile.body],
  ]);
  const [program, args] = commandFor(hostile, true, 'darwin');
  expect(program).toBe('osascript');
  expect(args.slice(2)).toEqual([hostile.title, hostile.body]);
  expect(args[1]).not.toContain('do shell script');
});
