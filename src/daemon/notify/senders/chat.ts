import type { Sender, Sent } from '../outgoing.ts';
import { type Post, type PostAnswer, toSent, unreached } from '../post.ts';

const JSON_HEADERS = { 'content-type': 'application/json' };
const SLACK_LONGEST = 3000;
const DISCORD_LONGEST = 2000;
const TELEGRAM_LONGEST = 4096;

export function slackSender(post: Post): Sender<'slack'> {
  return {
    updates: false,
    async send(message, { url }) {
      const text = clip(
        `*${slackEscape(message.title)}*\n${slackEscape(message.body)}\n<${message.url}|Open>`,
        SLACK_LONGEST,
      );
      return post({ url, headers: JSON_HEADERS, body: JSON.stringify({ text }) }).then(toSent, unreached);
    },
  };
}

/** A webhook can edit its post if it requested the message id. */
export function discordSender(post: Post): Sender<'discord'> {
  return {
    updates: true,
    async send(message, { url }) {
      const address = new URL(url);
      const isEdit = message.part === 'settled' && message.ref !== undefined;
      if (isEdit) address.pathname += `/messages/${encodeURIComponent(message.ref ?? '')}`;
      else address.searchParams.set('wait', 'true');
      const text = `**${discordEscape(message.title)}**\n${discordEscape(message.body)}\n${message.url}`;
      const body = JSON.stringify({ content: clip(text, DISCORD_LONGEST), allowed_mentions: { parse: [] } });
      const method = isEdit ? 'PATCH' : 'POST';
      return post({ url: address.href, method, headers: JSON_HEADERS, body }).then(
        (answer) => withRef(answer, (json) => json.id),
        unreached,
      );
    },
  };
}

export function telegramSender(post: Post): Sender<'telegram'> {
  return {
    updates: true,
    async send(message, { token, chatId, api = 'https://api.telegram.org' }) {
      const isEdit = message.part === 'settled' && message.ref !== undefined;
      const base = api.replace(/\/+$/, '');
      const url = `${base}/bot${token}/${isEdit ? 'editMessageText' : 'sendMessage'}`;
      const text = clip(`${message.title}\n${message.body}\n${message.url}`, TELEGRAM_LONGEST);
      const body = JSON.stringify({
        chat_id: chatId,
        text,
        link_preview_options: { is_disabled: true },
        ...(isEdit ? { message_id: Number(message.ref) } : {}),
      });
      return post({ url, headers: JSON_HEADERS, body }).then(
        (answer) => withRef(answer, ({ result }) => (result as { message_id?: unknown } | undefined)?.message_id),
        // the URL contains the bot token, which must not appear in errors
        (error: unknown) => hideToken(unreached(error), token),
      );
    },
  };
}

export function ntfySender(post: Post): Sender<'ntfy'> {
  return {
    updates: false,
    async send(message, { url, token }) {
      const { pathname, origin } = new URL(url);
      const body = JSON.stringify({
        topic: decodeURIComponent(pathname.split('/').filter(Boolean).at(-1) ?? ''),
        title: message.title,
        message: message.body || message.title,
        click: message.url,
        priority: message.kind === 'idle' ? 3 : 4,
      });
      const headers = { ...JSON_HEADERS, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
      return post({ url: origin, headers, body }).then(toSent, unreached);
    },
  };
}

function withRef(answer: PostAnswer, find: (json: Record<string, unknown>) => unknown): Sent {
  const sent = toSent(answer);
  if (!sent.ok) return sent;
  try {
    const ref = find(JSON.parse(answer.text) as Record<string, unknown>);
    return ref === undefined ? sent : { ok: true, ref: String(ref) };
  } catch (error) {
    // it was posted, but can't be edited later without its id
    if (error instanceof SyntaxError) return sent;
    throw error;
  }
}

const hideToken = (sent: Sent, token: string): Sent =>
  sent.ok ? sent : { ...sent, error: sent.error.replaceAll(token, '…') };

const slackEscape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
const discordEscape = (text: string) => text.replace(/[\\`*_~|>#[\]()-]/g, '\\$&');

function clip(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}
