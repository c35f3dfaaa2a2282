import { z } from 'zod';
import {
  ChannelDraft,
  ChannelList,
  ChannelMade,
  ChannelPatch,
  Notification,
  NotificationList,
  NotifySettings,
  PushKey,
  PushSubscriptionBody,
  ReceiptRequest,
} from '../notify.ts';
import { ById, NOTHING, route } from './route.ts';

const tag = 'notify';

export const listChannels = route({ method: 'GET', path: '/api/notify/channels', tag, answer: ChannelList });
export const createChannel = route({
  method: 'POST',
  path: '/api/notify/channels',
  tag,
  role: 'admin',
  body: ChannelDraft,
  answer: ChannelMade,
});
export const updateChannel = route({
  method: 'PATCH',
  path: '/api/notify/channels/:id',
  tag,
  params: ById,
  body: ChannelPatch,
  answer: ChannelMade,
});
export const removeChannel = route({
  method: 'DELETE',
  path: '/api/notify/channels/:id',
  tag,
  params: ById,
  ...NOTHING,
});
export const testChannel = route({
  method: 'POST',
  path: '/api/notify/channels/:id/test',
  tag,
  params: ById,
  answer: Notification,
});
export const listNotifications = route({
  method: 'GET',
  path: '/api/notify/notifications',
  tag,
  query: z.object({
    channel: z.string().max(64).optional(),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  }),
  answer: NotificationList,
});
export const readNotification = route({
  method: 'GET',
  path: '/api/notify/notifications/:id',
  tag,
  params: ById,
  answer: Notification,
});
export const retryNotification = route({
  method: 'POST',
  path: '/api/notify/notifications/:id/retry',
  tag,
  params: ById,
  answer: Notification,
});
export const readPushKey = route({ method: 'GET', path: '/api/notify/push-key', tag, answer: PushKey });
export const subscribePush = route({
  method: 'PUT',
  path: '/api/notify/push',
  tag,
  body: PushSubscriptionBody,
  answer: ChannelMade,
});
/** The message's token is the credential, since the service worker may have no other. */
export const sendReceipt = route({
  method: 'POST',
  path: '/api/notify/receipts',
  tag,
  role: 'open',
  body: ReceiptRequest,
  ...NOTHING,
});
export const readNotifySettings = route({
  method: 'GET',
  path: '/api/notify/settings',
  tag,
  answer: NotifySettings,
});
export const saveNotifySettings = route({
  method: 'PUT',
  path: '/api/notify/settings',
  tag,
  role: 'admin',
  body: NotifySettings,
  answer: NotifySettings,
});
