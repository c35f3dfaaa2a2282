import { createHmac, randomBytes } from 'node:crypto';
import type { Outgoing, Sender } from '../outgoing.ts';
import { type Post, toSent, unreached } from '../post.ts';

const PREFIX = 'whsec_';

export function newWebhookSecret(): string {
  return `${PREFIX}${randomBytes(32).toString('base64')}`;
}

/** The headers of the Standard Webhooks specification. */
export function signWebhook({ id, at, body, secret }: { id: string; at: number; body: string; secret: string }) {
  const timestamp = Math.floor(at / 1000);
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const TYPES = { notice: 'notice.raised', settled: 'notice.settled', test: 'test' } as const;

export function webhookSender({ post, now }: { post: Post; now: () => number }): Sender<'webhook'> {
  return {
    updates: true,
    async send(message, { url, secret = '' }) {
      const body = JSON.stringify({
        type: TYPES[message.part],
        timestamp: new Date(message.createdAt).toISOString(),
        data: dataOf(message),
      });
      const headers = {
        'content-type': 'application/json',
        ...signWebhook({ id: message.id, at: now(), body, secret }),
      };
      return post({ url, headers, body }).then(toSent, unreached);
    },
  };
}

function dataOf({ tag, kind, title, body, url, sessionId, project, approvalId, outcome, waiting }: Outgoing) {
  return { noticeId: tag, kind, title, body, url, sessionId, project, approvalId, outcome, waiting };
}
