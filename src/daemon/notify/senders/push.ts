import { createHash } from 'node:crypto';
import type { PushMessage } from '../../../contract/notify.ts';
import type { Outgoing, Sender, Sent } from '../outgoing.ts';
import { type Post, type PostAnswer, toSent, unreached } from '../post.ts';
import type { VapidKeys } from '../vapid.ts';

/** A day: anyone offline longer sees it on the page. */
const TTL_SECONDS = 86_400;
/** RFC 8291 allows 4096 bytes including the encryption overhead. */
const MOST_BYTES = 3900;
const TITLE_CHARACTERS = 120;
const BODY_CHARACTERS = 600;
/** If the clock is off by more, push services reject our signature. */
const MOST_SKEW_MS = 3_600_000;

export interface PushSenderOptions {
  post: Post;
  keys: () => Promise<VapidKeys>;
  contact: () => string;
  now: () => number;
}

export function pushSender({ post, keys, contact, now }: PushSenderOptions): Sender<'push'> {
  return {
    updates: true,
    async send(message, { endpoint, keys: subscription }) {
      // loaded on demand
      const { default: webPush } = await import('web-push');
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: subscription }, payloadOf(message), {
        vapidDetails: { subject: contact(), ...(await keys()) },
        TTL: TTL_SECONDS,
        urgency: 'high',
        topic: topicOf(message.tag),
        contentEncoding: 'aes128gcm',
      });
      const sendable = Object.fromEntries(
        Object.entries(headers as Record<string, string | number>).filter(([name]) => name !== 'Content-Length'),
      );
      return post({ url: endpoint, headers: sendable, body: body ?? '' }).then(
        (answer) => readAnswer(answer, now()),
        unreached,
      );
    },
  };
}

export function payloadOf(message: Outgoing): string {
  const payload: PushMessage = {
    id: message.id,
    part: message.part,
    tag: message.tag,
    token: message.token,
    title: message.title.slice(0, TITLE_CHARACTERS),
    body: message.body.slice(0, BODY_CHARACTERS),
    url: message.path,
    waiting: message.waiting,
    ...(message.approvalId === undefined ? {} : { approvalId: message.approvalId }),
    ...(message.blind ? { blind: true } : {}),
  };
  let text = JSON.stringify(payload);
  // non-ASCII text takes up to four bytes per character
  while (Buffer.byteLength(text) > MOST_BYTES && payload.body !== '') {
    payload.body = payload.body.slice(0, Math.floor(payload.body.length / 2));
    text = JSON.stringify(payload);
  }
  return text;
}

/** At most 32 characters. A newer message with the same topic replaces an undelivered one. */
function topicOf(tag: string): string {
  return createHash('sha256').update(tag).digest('base64url').slice(0, 32);
}

function readAnswer(answer: PostAnswer, now: number): Sent {
  const sent = toSent(answer);
  if (sent.ok) return sent;
  const { status, headers } = answer;
  const skew = Math.abs(now - Date.parse(headers.date ?? ''));
  if ((status === 401 || status === 403) && skew > MOST_SKEW_MS)
    return { ok: false, error: `${sent.error} (the clock of this machine is off by ${Math.round(skew / 60_000)} min)` };
  // Apple also responds to a removed subscription with 400 or 403; either way the browser has to subscribe again
  if (status === 400 || status === 401 || status === 403) return { ...sent, final: true, broken: true };
  return sent;
}
