import { z } from 'zod';
import { NOTICE_KINDS } from './notify-kinds.ts';

export type NoticeKind = (typeof NOTICE_KINDS)[number];

export const CHANNEL_KINDS = [
  'push',
  'webhook',
  'slack',
  'discord',
  'telegram',
  'ntfy',
  'email',
  'desktop',
  'bell',
] as const;

const Url = z
  .url({ protocol: /^https?$/ })
  .max(2000)
  .describe('https, or http for a host that preferences.json lists in notifyHosts');

/** Where a channel sends to. Its secrets never leave the daemon again. */
export const ChannelTarget = z.discriminatedUnion('kind', [
  z
    .object({
      kind: z.literal('push'),
      endpoint: Url,
      keys: z.object({ p256dh: z.base64url().max(200), auth: z.base64url().max(100) }).strict(),
    })
    .strict(),
  z
    .object({
      kind: z.literal('webhook'),
      url: Url,
      secret: z
        .string()
        .regex(/^whsec_[A-Za-z0-9+/=]{24,}$/)
        .max(200)
        .optional()
        .describe('Signs each message (Standard Webhooks). Default: one is generated and shown once'),
    })
    .strict(),
  z.object({ kind: z.literal('slack'), url: Url.describe('An incoming webhook') }).strict(),
  z.object({ kind: z.literal('discord'), url: Url.describe('A channel webhook') }).strict(),
  z
    .object({
      kind: z.literal('telegram'),
      token: z
        .string()
        .regex(/^\d+:[\w-]{20,}$/)
        .max(200)
        .describe('Of a bot, from @BotFather'),
      chatId: z.string().regex(/^(-?\d{1,20}|@\w{1,60})$/),
      api: Url.optional().describe('Your own Bot API server'),
    })
    .strict(),
  z
    .object({
      kind: z.literal('ntfy'),
      url: Url.describe('With the topic: https://ntfy.sh/my-topic'),
      token: z.string().min(1).max(500).optional(),
    })
    .strict(),
  z
    .object({
      kind: z.literal('email'),
      host: z.string().regex(/^[\w.-]{1,253}$/),
      port: z.number().int().min(1).max(65_535),
      secure: z.boolean().default(false).describe('TLS from the start; otherwise STARTTLS is required'),
      user: z.string().max(320).optional(),
      password: z.string().max(1000).optional(),
      from: z.email().max(320),
      to: z.email().max(320),
    })
    .strict(),
  z.object({ kind: z.literal('desktop'), sound: z.boolean().default(false) }).strict(),
  z.object({ kind: z.literal('bell') }).strict(),
]);
export type ChannelTarget = z.infer<typeof ChannelTarget>;

const Clock = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time such as 22:30');

export const QuietHours = z
  .object({
    from: Clock,
    to: Clock,
    timeZone: z.string().refine(isTimeZone, 'must be a time zone such as Europe/Berlin'),
  })
  .strict();
export type QuietHours = z.infer<typeof QuietHours>;

function isTimeZone(name: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** How a channel is used; all of it can be changed later. */
export const ChannelSettings = z.object({
  name: z.string().trim().min(1).max(80),
  enabled: z.boolean().default(true),
  kinds: z.array(z.enum(NOTICE_KINDS)).default(['permission', 'question', 'plan', 'error', 'stuck']),
  projects: z.array(z.string().min(1).max(4000)).max(100).default([]).describe('Project folders; empty: all'),
  delaySeconds: z.number().int().min(0).max(86_400).default(0).describe('Only if still unanswered after this long'),
  after: z
    .string()
    .max(64)
    .nullable()
    .default(null)
    .describe('The channel to escalate from: the delay starts when that one sends, and ends early if sending fails'),
  quietHours: QuietHours.nullable().default(null).describe('Held until quiet hours end, unless answered by then'),
  whileActive: z.boolean().default(false).describe('Also while you are using Ground Control in a browser'),
  details: z
    .boolean()
    .default(false)
    .describe(
      'Include the session title and the command, with secrets masked. Otherwise only the project and the kind',
    ),
});
export type ChannelSettings = z.infer<typeof ChannelSettings>;

export const ChannelDraft = ChannelSettings.extend({ target: ChannelTarget }).strict();
export type ChannelDraft = z.input<typeof ChannelDraft>;
export const ChannelPatch = ChannelSettings.partial().strict();
export type ChannelPatch = z.input<typeof ChannelPatch>;

/** The push subscription of the browser that asks. Sending the same endpoint again updates its channel. */
export const PushSubscriptionBody = z
  .object({
    endpoint: Url,
    keys: z.object({ p256dh: z.base64url().max(200), auth: z.base64url().max(100) }).strict(),
  })
  .strict();

/**
 * waiting: to be sent or retried. accepted: the service took it, which doesn't prove that anyone saw it. shown: the device confirmed that it was
 * displayed. failed: we gave up, and it can be retried by hand. cancelled: answered before it was sent.
 */
export const NOTIFICATION_STATES = ['waiting', 'accepted', 'shown', 'failed', 'cancelled'] as const;
export type NotificationState = (typeof NOTIFICATION_STATES)[number];

/** The notice itself, an update that it is settled, or a test. */
export const NOTIFICATION_PARTS = ['notice', 'settled', 'test'] as const;
export type NotificationPart = (typeof NOTIFICATION_PARTS)[number];

/** One message to one channel, and its outcome. */
export const Notification = z.object({
  id: z.string(),
  noticeId: z.string().nullable(),
  channelId: z.string(),
  part: z.enum(NOTIFICATION_PARTS),
  title: z.string(),
  state: z.enum(NOTIFICATION_STATES),
  createdAt: z.number(),
  dueAt: z.number().describe('While waiting: when it is sent, or tried again'),
  attempts: z.number(),
  acceptedAt: z.number().nullable(),
  shownAt: z.number().nullable(),
  error: z.string().nullable().describe('Of the last attempt'),
});
export type Notification = z.infer<typeof Notification>;
export const NotificationList = z.object({ notifications: z.array(Notification) });

export const Channel = ChannelSettings.extend({
  id: z.string(),
  kind: z.enum(CHANNEL_KINDS),
  deviceId: z.string().nullable().describe('The device whose browser shows it; null: none'),
  target: z.string().describe('Where it sends to, without secrets'),
  broken: z.string().nullable().describe('Why nothing can be sent. null: it works, as far as we know'),
  createdAt: z.number(),
  recent: z.array(Notification).describe('The newest five'),
});
export type Channel = z.infer<typeof Channel>;
export const ChannelList = z.object({ channels: z.array(Channel) });
export const ChannelMade = z.object({
  channel: Channel,
  secret: z.string().optional().describe("A webhook's secret, shown only once"),
});
export type ChannelMade = z.infer<typeof ChannelMade>;

export const PushKey = z.object({ publicKey: z.string().describe('VAPID, for PushManager.subscribe') });

/** A device confirms that it showed a message. The token came with the message and grants nothing else. */
export const ReceiptRequest = z.object({ id: z.string().max(64), token: z.string().max(64) }).strict();

/** The content of a push message. */
export const PushMessage = z.object({
  id: z.string(),
  part: z.enum(NOTIFICATION_PARTS),
  tag: z.string().describe('One per notice: the next message with it replaces the card'),
  token: z.string().describe('For the receipt'),
  title: z.string(),
  body: z.string(),
  url: z.string(),
  approvalId: z.string().optional(),
  blind: z.boolean().optional().describe('May be answered from the notification itself'),
  waiting: z.number().describe('Open requests, for the badge'),
});
export type PushMessage = z.infer<typeof PushMessage>;

export const NotifySettings = z
  .object({
    contact: z
      .string()
      .max(320)
      .regex(/^(mailto:[^\s<>@]+@[^\s<>@]+|https:\/\/[^\s<>]+)$/, 'must be mailto:you@example.com or an https address')
      .nullable()
      .describe('Sent to push services with each message, which Apple requires; null: the project page'),
    blind: z
      .array(
        z
          .object({
            toolName: z.string().min(1).max(200),
            parameters: z.record(z.string(), z.string().min(1).max(2000)).default({}),
          })
          .strict(),
      )
      .max(100)
      .describe('What may be allowed or denied from a notification, without opening the page. Same patterns as rules'),
  })
  .strict();
export type NotifySettings = z.infer<typeof NotifySettings>;
